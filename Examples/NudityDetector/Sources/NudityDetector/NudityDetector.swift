// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SensitiveContentAnalysis

/// A detector of nudity by one label of a classifier, as in the article "Using a Core ML model".
public struct NudityDetector: Sendable {
    private let request: ClassificationRequest
    private let label: String

    /// Creates a detector.
    ///
    /// - Parameters:
    ///   - modelName: the name that `sca model import` has given to the model, or nil for the default model.
    ///   - label: the label that stands for nudity; the default model calls it "sexuallyExplicit".
    public init(modelName: String?, label: String) {
        request = ClassificationRequest(modelName: modelName)
        self.label = label
    }

    /// Returns the confidence that an image file shows nudity, from 0 to 1.
    ///
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be classified; it may then show anything.
    public func confidence(forFileAt fileURL: URL) async throws -> Float {
        try confidence(in: await request.perform(on: fileURL))
    }

    /// Returns the confidence that an encoded image shows nudity, from 0 to 1.
    ///
    /// - Throws: ``SensitivityAnalysisError`` if the image could not be classified; it may then show anything.
    public func confidence(for data: Data) async throws -> Float {
        try confidence(in: await request.perform(on: data))
    }

    private func confidence(in observations: [ClassificationObservation]) throws -> Float {
        guard let observation = observations.first(where: { $0.identifier == label }) else {
            throw MissingLabel(label: label, labels: observations.map(\.identifier))
        }
        return observation.confidence
    }

    /// The error of a model that does not know the label.
    public struct MissingLabel: LocalizedError {
        let label: String
        let labels: [String]

        /// The missing label, and the labels of the model.
        public var errorDescription: String? {
            "The model has no label \(label). Its labels are: \(labels.prefix(10).joined(separator: ", "))."
        }
    }
}
