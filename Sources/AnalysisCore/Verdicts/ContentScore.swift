// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The score of a model for one kind of content in one view of a picture, with the thresholds.
package struct ContentScore: Sendable, Hashable {
    package let contentType: ContentType
    /// The model's output, from 0 to 1; it is not a probability unless the model's manifest says so.
    package let value: Float
    package let thresholds: Thresholds

    package init(contentType: ContentType, value: Float, thresholds: Thresholds) {
        self.contentType = contentType
        self.value = value
        self.thresholds = thresholds
    }
}
