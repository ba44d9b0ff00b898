// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// An operation on a file, for example its analysis, with a function for each kind of content.
protocol MediaTreatment: Sendable {
    associatedtype Value: Sendable
    func picture() async throws -> FileAnswer<Value>
    /// Treats animations and pages.
    func severalPictures() async throws -> FileAnswer<Value>
    func video() async throws -> FileAnswer<Value>
}

extension MediaTreatment {
    /// Treats the file by the kind of its content; the expected kind only decides which function is called first.
    ///
    /// - Returns: the value, or the content of a file that is empty or in no known format.
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

    /// Returns the answer of the last decoder.
    ///
    /// - Throws: a failure if the answer refers to a decoder that has already answered.
    private static func final(_ answer: FileAnswer<Value>) throws(AnalysisFailure) -> FileAnswer<Value> {
        if case .content(let content) = answer, content.isMedia { throw AnalysisFailure(content) }
        return answer
    }
}

/// The likely kind of a file.
package enum ExpectedMedia: Sendable {
    case any
    case video
    /// Any file but a video; videos are refused.
    case onlyPictures
}
