// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SensitiveContentAnalysis

/// A gate that refuses uploads that show nudity, and uploads that could not be checked.
public struct UploadGate: Sendable {
    /// The outcome for one upload; only an accepted upload is posted.
    public enum Decision: Sendable, Equatable {
        case accepted
        /// The sentence is for the person who uploads.
        case refused(String)
        /// No upload can be checked; the sentence is for the operator of the server.
        case unavailable(String)
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
            guard confidence >= threshold else { return .accepted }
            return .refused("The picture seems to show nudity, so it was not posted.")
        } catch let error as SensitivityAnalysisError where Self.faultsOfPictures.contains(error.code) {
            // A picture that could not be checked may show anything.
            return .refused("The picture could not be checked, so it was not posted. \(error.message)")
        } catch {
            return .unavailable(error.localizedDescription)
        }
    }

    private static let faultsOfPictures: Set<SensitivityAnalysisError.Code> = [
        .malformedMedia, .unsupportedMedia, .ambiguousMedia, .limitExceeded, .timedOut,
    ]
}
