// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// What is to be done with a file, in a way for each kind that its content can turn out to be.
protocol MediaTreatment: Sendable {
    associatedtype Value: Sendable
    func picture() async throws -> Value
    /// Animations and pages.
    func severalPictures() async throws -> Value
    func video() async throws -> Value
}

extension MediaTreatment {
    /// Treats the file as what it is; its name and what was expected only say what is tried first.
    func run(expecting expected: ExpectedMedia) async throws -> Value {
        if expected == .video {
            do {
                return try await video()
            } catch let failure as AnalysisFailure where failure.redirection == .pictures {}
        }
        do {
            return try await picture()
        } catch let failure as AnalysisFailure {
            switch (failure.redirection, expected) {
            case (.severalPictures, _): return try await severalPictures()
            case (.video, .any): return try await video()
            case (.video, .onlyPictures):
                throw AnalysisFailure(
                    .unsupportedMedia, "The file is a video or sound file. Have it analysed as a video (videoAnalysis)."
                )
            default: throw failure
            }
        }
    }
}

/// What a file is likely to be.
package enum ExpectedMedia: Sendable {
    case any
    case video
    /// Anything but a video, which is refused.
    case onlyPictures
}
