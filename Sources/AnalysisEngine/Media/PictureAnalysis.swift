// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The result of the analysis of one picture.
package struct PictureAnalysis: Sendable, Hashable {
    package let verdict: PictureVerdict
    /// The name of the model that gave the score.
    package let modelName: String
    package let policy: AnalysisPolicy
    /// A small picture, if it was requested.
    package let thumbnail: PixelSamples?
    /// The labels of the view with the highest score, in the order of the model; empty if they were not requested.
    package let labels: [LabelScore]
    /// The pictures inside the picture whose score reaches a threshold of the manifest.
    package let regions: [PictureRegion]
    /// The scores of the places in the view with the highest score; nil if they were not requested or there is no map.
    package let places: PlaceScores?
}
