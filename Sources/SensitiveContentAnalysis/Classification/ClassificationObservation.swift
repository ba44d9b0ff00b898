// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A label of a model and the confidence that it describes an image.
///
/// Not in Apple's framework; named after the type of Vision.
public struct ClassificationObservation: Sendable, Hashable {
    /// The label, as the model names it, for example "NSFW".
    public let identifier: String
    /// The score of the label, from 0 to 1; its meaning depends on the model.
    public let confidence: Float

    /// Creates an observation, for the tests of an app.
    public init(identifier: String, confidence: Float) {
        self.identifier = identifier
        self.confidence = confidence
    }
}
