// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import AnalysisEngine
package import HelperHost
internal import HelperProtocol

extension MediaEngine {
    /// Starts the decoding of an encoded live stream, in a process of its own.
    ///
    /// - Parameters:
    ///   - framing: the way in which the stream becomes bytes; its header is sent first.
    ///   - keepsFirstLook: whether all frames have the size and the colours of the first one.
    ///   - receive: called with each frame and with the end, on one thread.
    /// - Throws: `AnalysisFailure` if the decoder is missing, or the system has no descriptor or thread left.
    package func decodeStream(
        _ format: StreamFormat, framing: StreamFraming = .bytes, limits: AnalysisLimits,
        display: Display = .ours, keepsFirstLook: Bool = false,
        receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws -> StreamDecoder {
        try limits.validate()
        return try videoDecoding.decodeStream(
            StreamRequest(format: format, limits: limits, display: display, keepsFirstLook: keepsFirstLook),
            beginning: framing.header,
            receive: receive)
    }
}
