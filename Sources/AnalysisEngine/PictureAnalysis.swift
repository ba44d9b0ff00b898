// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// What is known about a picture after its analysis.
package struct PictureAnalysis: Sendable, Hashable {
    package let verdict: PictureVerdict
    /// The name of the model that gave the score.
    package let modelName: String
    package let policy: AnalysisPolicy
    /// A small picture, where it was asked for.
    package let thumbnail: PixelSamples?
}
