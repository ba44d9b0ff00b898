// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The program that displays the judged media.
package enum Display: UInt8, Sendable, CaseIterable {
    /// The app displays the pixels that were judged, so only our rendering counts.
    case ours = 1
    /// Another program displays the file or the stream. Each rendering that a common viewer shows counts.
    case otherViewer = 2
}
