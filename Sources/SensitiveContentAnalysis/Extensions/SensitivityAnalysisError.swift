// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation

/// The reason why media could not be analysed, so that its sensitivity is unknown.
///
/// ```swift
/// view.isCovered = true
/// do {
///     view.isCovered = try await analyzer.analyzeImage(at: fileURL).isSensitive
/// } catch let error as SensitivityAnalysisError {
///     switch error.code {
///     case .analysisDisabled: view.show(fileURL)
///     case .modelUnavailable, .decoderUnavailable: view.cover("Nothing can be checked here. \(error.message)")
///     default: view.cover("This could not be checked. \(error.message)")
///     }
/// }
/// ```
///
/// The message names the failure, the exceeded bound and the remedy. It has no path, file name or score.
public struct SensitivityAnalysisError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kind of failure.
    public let code: Code
    /// The failure and the remedy, in English.
    public let message: String
    /// The underlying error; nil if there is none.
    public let cause: (any Error)?

    /// Creates an error, for the tests of an app.
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
    /// A kind of failure; later versions may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let code: AnalysisFailure.Code

        init(_ code: AnalysisFailure.Code) {
            self.code = code
        }

        /// The name of the code, as `sca` prints it.
        public var description: String { code.rawValue }

        /// The number of the code in an `NSError`; it never changes.
        public var number: Int {
            switch code {
            case .malformedMedia: 1
            case .unsupportedMedia: 2
            case .ambiguousMedia: 3
            case .limitExceeded: 4
            case .timedOut: 5
            case .inputUnreadable: 6
            case .invalidArgument: 7
            case .analysisDisabled: 8
            case .modelUnavailable: 9
            case .decoderUnavailable: 10
            case .decoderFailed: 11
            case .internalFailure: 12
            case .sensitiveMedia: 13
            case .outputUnwritable: 14
            }
        }

        /// The media starts in a known format, but is damaged.
        public static let malformedMedia = Code(.malformedMedia)
        /// The media is empty, has no pictures, is a video where an image is expected, or cannot be judged in full.
        public static let unsupportedMedia = Code(.unsupportedMedia)
        /// Programs show the media in different ways, and one of these ways cannot be judged.
        public static let ambiguousMedia = Code(.ambiguousMedia)
        /// The media exceeds a bound on bytes, pixels, frames, duration, parts or memory; or too many inputs wait.
        public static let limitExceeded = Code(.limitExceeded)
        /// Decoding or the model took longer than the limit.
        public static let timedOut = Code(.timedOut)
        /// The file is missing, may not be read, or is no regular file.
        public static let inputUnreadable = Code(.inputUnreadable)
        /// An argument is invalid, for example a folder, a remote URL or a negative limit.
        public static let invalidArgument = Code(.invalidArgument)
        /// The policy is disabled.
        public static let analysisDisabled = Code(.analysisDisabled)
        /// The model or the inference library is missing, damaged, refused or not usable.
        public static let modelUnavailable = Code(.modelUnavailable)
        /// A decoder program or the encoder is missing, is of another version, or cannot be started.
        public static let decoderUnavailable = Code(.decoderUnavailable)
        /// A decoder or the encoder ended unexpectedly twice, or gave an invalid answer.
        public static let decoderFailed = Code(.decoderFailed)
        /// An unexpected failure of this library; please report it.
        public static let internalFailure = Code(.internalFailure)
        /// The media is sensitive, so no copy of it was written.
        public static let sensitiveMedia = Code(.sensitiveMedia)
        /// A copy could not be written to its place.
        public static let outputUnwritable = Code(.outputUnwritable)
    }

    init(_ failure: AnalysisFailure) {
        self.init(Code(failure.code), message: failure.message, cause: failure.cause)
    }
}

extension SensitivityAnalysisError: CustomNSError {
    /// The domain of the error as an `NSError`.
    public static var errorDomain: String { "SensitiveContentAnalysis.SensitivityAnalysisError" }

    /// The number of the code.
    public var errorCode: Int { code.number }

    /// The message, and the underlying error if there is one.
    public var errorUserInfo: [String: Any] {
        var values: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let cause { values[NSUnderlyingErrorKey] = cause }
        return values
    }
}
