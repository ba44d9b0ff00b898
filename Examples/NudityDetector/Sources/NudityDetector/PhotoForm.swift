// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A form that asks the person before it attaches a photo that may show nudity.
public struct PhotoForm: Sendable {
    /// The question to the person.
    public enum Question: Sendable, Equatable {
        case mayShowNudity
        /// The text says why the photo could not be checked.
        case couldNotBeChecked(String)
    }

    private let detector: NudityDetector
    private let threshold: Float

    /// Creates a form that asks from a confidence on; measure the threshold for your model.
    public init(_ detector: NudityDetector, threshold: Float = 0.5) {
        self.detector = detector
        self.threshold = threshold
    }

    /// Returns the photo, or nil if the person decides to leave it out.
    ///
    /// The bytes that were checked are the bytes that are returned, so the file can be replaced meanwhile.
    ///
    /// - Parameter ask: asks the person, and returns whether to attach the photo all the same.
    /// - Throws: an error if the file cannot be read.
    public func photo(
        fromFileAt fileURL: URL, asking ask: @Sendable (Question) async -> Bool
    ) async throws -> Data? {
        let photo = try Data(contentsOf: fileURL)
        guard let question = await question(about: photo) else { return photo }
        return await ask(question) ? photo : nil
    }

    private func question(about photo: Data) async -> Question? {
        do {
            return try await detector.confidence(for: photo) < threshold ? nil : .mayShowNudity
        } catch {
            return .couldNotBeChecked(error.localizedDescription)
        }
    }
}
