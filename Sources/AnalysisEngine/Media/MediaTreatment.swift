// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// What is to be done with a file, in a way for each kind that its content can turn out to be.
protocol MediaTreatment: Sendable {
    associatedtype Value: Sendable
    func picture() async throws -> FileAnswer<Value>
    /// Animations and pages.
    func severalPictures() async throws -> FileAnswer<Value>
    func video() async throws -> FileAnswer<Value>
}

extension MediaTreatment {
    /// Treats the file as what its content says; its name and what was expected only decide what is tried first.
    ///
    /// - Returns: the value, or that the file is empty or in no known format.
    func run(expecting expected: ExpectedMedia) async throws -> FileAnswer<Value> {
        if expected == .video {
            let answer = try await video()
            guard case .content(.pictures) = answer else { return try Self.final(answer) }
        }
        let answer = try await picture()
        switch (answer, expected) {
        case (.content(.severalPictures), _): return try Self.final(try await severalPictures())
        case (.content(.video), .any): return try Self.final(try await video())
        case (.content(.video), .onlyPictures):
            throw AnalysisFailure(
                .unsupportedMedia, "The file is a video or sound file. Have it analysed as a video (videoAnalysis).")
        default: return try Self.final(answer)
        }
    }

    /// - Throws: where a decoder leads back to one that has already answered.
    private static func final(_ answer: FileAnswer<Value>) throws(AnalysisFailure) -> FileAnswer<Value> {
        if case .content(let content) = answer, content.isMedia { throw AnalysisFailure(content) }
        return answer
    }
}

/// What a file is likely to be.
package enum ExpectedMedia: Sendable {
    case any
    case video
    /// Anything but a video, which is refused.
    case onlyPictures
}
