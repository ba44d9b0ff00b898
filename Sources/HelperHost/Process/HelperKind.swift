// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// A kind of helper process: how long its processes live, and how their failures read.
package struct HelperKind: Sendable, Hashable {
    /// The name of the executable.
    package let executableName: String
    let purpose: Purpose

    package enum Purpose: Sendable, Hashable {
        /// Media of strangers becomes pixels.
        case decoding
        /// Pixels become scores; several connections share a process.
        case inference
    }

    package static let imageDecoder = HelperKind(executableName: "sca-image-decoder", purpose: .decoding)
    package static let videoDecoder = HelperKind(executableName: "sca-video-decoder", purpose: .decoding)
    package static let modelRunner = HelperKind(executableName: "sca-model-runner", purpose: .inference)

    package static let all = [imageDecoder, videoDecoder, modelRunner]

    /// The number of files after which a process is replaced.
    ///
    /// A decoder that was taken over could lie about the files of others for as long as there is work. A thousand files
    /// take much longer than a start. The model's process reads no files.
    var mostUses: Int { purpose == .decoding ? 1000 : .max }

    /// How long a process without work is kept: a little longer than it waits by itself.
    ///
    /// A start of the model takes as long as several pictures, and people look at pictures now and then.
    var longestRest: Duration { purpose == .decoding ? .seconds(12) : .seconds(65) }

    /// How long a start may take: much longer than any does, since a loaded machine must not look like a missing helper.
    ///
    /// A model without a compiled copy is compiled first.
    var startingSeconds: Int { purpose == .decoding ? 20 : 120 }

    /// Whether a process is ended where its request is cancelled; the model's process has other requests as well.
    var endsOnCancellation: Bool { purpose == .decoding }
}
