// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The container of a film that is copied without encoding.
package enum FilmContainer: UInt8, Sendable, Hashable, CaseIterable {
    case mp4 = 1
    case matroska = 2
}
