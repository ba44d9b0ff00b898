// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation

/// The reason why media could not be analysed.
///
/// It is then neither sensitive nor not sensitive, but unknown.
///
/// The message says what failed, which bound was hit and what to do. It carries no path, file name or score.
public struct SensitivityAnalysisError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kind of failure.
    public let code: Code
    /// What failed and what to do, in English.
    public let message: String
    /// The error behind this one, if there is one.
    public let cause: (any Error)?

    /// Creates an error, for an app's own tests.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The message.
    public var errorDescription: String? { message }
}

extension SensitivityAnalysisError {
    /// A kind of failure; more may be added in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let code: AnalysisFailure.Code

        fileprivate init(_ code: AnalysisFailure.Code) {
            self.code = code
        }

        /// The name of the code, as the command prints it.
        public var description: String { code.rawValue }

        /// The media starts as a known format and is broken.
        public static let malformedMedia = Code(.malformedMedia)
        /// The media is empty, is in no format that is read, or holds several pictures.
        public static let unsupportedMedia = Code(.unsupportedMedia)
        /// Programs show the media in different ways, of which one cannot be judged.
        public static let ambiguousMedia = Code(.ambiguousMedia)
        /// The media exceeds a limit on bytes, pixels or edges.
        public static let limitExceeded = Code(.limitExceeded)
        /// Decoding took longer than the limit.
        public static let timedOut = Code(.timedOut)
        /// The file is missing, may not be read or is no regular file.
        public static let inputUnreadable = Code(.inputUnreadable)
        /// An argument makes no sense: a folder, a remote URL, a negative limit.
        public static let invalidArgument = Code(.invalidArgument)
        /// The policy is disabled.
        public static let analysisDisabled = Code(.analysisDisabled)
        /// The model or the inference library is missing, damaged or refused.
        public static let modelUnavailable = Code(.modelUnavailable)
        /// The decoder program is missing or of another version.
        public static let decoderUnavailable = Code(.decoderUnavailable)
        /// The decoder died twice, or gave an impossible answer.
        public static let decoderFailed = Code(.decoderFailed)
        /// Something went wrong that should not.
        public static let internalFailure = Code(.internalFailure)
    }

    init(_ failure: AnalysisFailure) {
        self.init(Code(failure.code), message: failure.message, cause: failure.cause)
    }
}
