// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// A kind of helper process, with the lifetimes of its processes and the messages of its failures.
package struct HelperKind: Sendable, Hashable {
    /// The name of the executable.
    package let executableName: String
    let purpose: Purpose

    package enum Purpose: Sendable, Hashable {
        /// The process decodes untrusted media into pixels.
        case decoding
        /// The process encodes judged pixels.
        case encoding
        /// The process scores pixels, for several connections.
        case inference
    }

    package static let imageDecoder = HelperKind(executableName: "sca-image-decoder", purpose: .decoding)
    package static let videoDecoder = HelperKind(executableName: "sca-video-decoder", purpose: .decoding)
    package static let modelRunner = HelperKind(executableName: "sca-model-runner", purpose: .inference)
    /// Reads Core ML files, for the command alone.
    package static let modelImporter = HelperKind(executableName: "sca-model-importer", purpose: .decoding)

    /// Encodes judged pictures, for apps and commands that write copies.
    package static let mediaEncoder = HelperKind(executableName: "sca-media-encoder", purpose: .encoding)

    package static let all = [imageDecoder, videoDecoder, modelRunner, mediaEncoder]

    /// The number of uses, one for each file, after which a process is replaced.
    ///
    /// A decoder that was taken over could give false replies about all later files. A thousand files take much longer
    /// than a start. The model's process decodes no files.
    var mostUses: Int { purpose != .inference ? 1000 : .max }

    /// The time after which the host ends a process without work, a little after the process should end by itself.
    ///
    /// A start of the model takes as long as several pictures, and pictures often come with long pauses.
    var longestRest: Duration { purpose != .inference ? .seconds(12) : .seconds(65) }

    /// The time limit of a start in seconds, which includes the compilation of a model without a compiled copy.
    ///
    /// It is much longer than any start, because a loaded machine must not look like a missing helper.
    var startingSeconds: Int { purpose != .inference ? 20 : 120 }

    /// Whether a cancelled request ends its process; the model's process goes on, because other requests share it.
    var endsOnCancellation: Bool { purpose != .inference }
}
