// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The reason why a piece of media could not be analysed.
///
/// All code below the public module throws this type or `CancellationError`. The message names the failure, the bound
/// and the remedy. It never contains a path, a file name or a score.
package struct AnalysisFailure: Error, Sendable, CustomStringConvertible {
    package var code: Code
    package var message: String
    package var cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    package var description: String { "\(code.rawValue): \(message)" }
}

extension AnalysisFailure {
    /// The kind of a failure, under the names that the command and the public error use too.
    package enum Code: String, Sendable, CaseIterable {
        case malformedMedia
        case unsupportedMedia
        case ambiguousMedia
        case limitExceeded
        case timedOut
        case inputUnreadable
        case invalidArgument
        case analysisDisabled
        case modelUnavailable
        case decoderUnavailable
        case decoderFailed
        case internalFailure
        case sensitiveMedia
        case outputUnwritable
    }
}
