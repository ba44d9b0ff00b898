// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The kinds of media, under their names in results.
package enum AnalyzedMediaKind: String, Sendable {
    case image
    case animation
    case pages
    case video
}
