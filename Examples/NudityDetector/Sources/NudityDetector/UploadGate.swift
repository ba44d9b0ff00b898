// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A gate that refuses uploads that show nudity, and uploads that could not be checked.
public struct UploadGate: Sendable {
    /// The outcome for one upload.
    public enum Decision: Sendable, Equatable {
        case accepted
        /// The sentence is for the person who uploads.
        case refused(String)
    }

    private let detector: NudityDetector
    private let threshold: Float

    /// Creates a gate that refuses from a confidence on; measure the threshold for your model.
    public init(_ detector: NudityDetector, threshold: Float = 0.5) {
        self.detector = detector
        self.threshold = threshold
    }

    /// Decides about the bytes of an upload.
    public func decision(on upload: Data) async -> Decision {
        do {
            let confidence = try await detector.confidence(for: upload)
            return confidence < threshold
                ? .accepted : .refused("The picture seems to show nudity, so it was not posted.")
        } catch {
            // A picture that could not be checked may show anything.
            return .refused("The picture could not be checked, so it was not posted. \(error.localizedDescription)")
        }
    }
}
