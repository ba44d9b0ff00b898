// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The scores of one picture.
package struct ModelScores: Sendable {
    /// For each view and each picture inside a view, a score for each content type of the model.
    package let views: [[ContentScore]]
    /// The labels of the view with the highest score, in the order of the model; empty if they were not requested.
    ///
    /// A label that stands for sensitive content has its highest score in any view. A model without labels has a label
    /// for each of its content types.
    package let labels: [LabelScore]

    /// The pictures inside the picture whose score reaches a threshold of the manifest.
    package let regions: [PictureRegion]
    /// The scores of the places in the view with the highest score; nil if they were not requested or there is no map.
    package let places: PlaceScores?

    package init(
        views: [[ContentScore]], labels: [LabelScore] = [], regions: [PictureRegion] = [],
        places: PlaceScores? = nil
    ) {
        self.views = views
        self.labels = labels
        self.regions = regions
        self.places = places
    }
}
