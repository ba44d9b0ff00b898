// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

extension AnalysisEngine {
    /// Starts the decoding of an encoded live stream, in a process of its own.
    ///
    /// - Parameters:
    ///   - isForOtherPlayers: whether the stream fails where a player may show something that is not decoded here.
    ///   - receive: called with each frame and with the end, on one thread.
    /// - Throws: `AnalysisFailure` if the decoder is missing, or the system has no descriptor or thread left.
    package func decodeStream(
        _ format: StreamFormat, limits: AnalysisLimits, isForOtherPlayers: Bool = false,
        receive: @escaping @Sendable (StreamDecoder.Event) -> Void
    ) throws -> StreamDecoder {
        try limits.validate()
        return try videoDecoding.decodeStream(
            StreamRequest(format: format, limits: limits, isForOtherPlayers: isForOtherPlayers), receive: receive)
    }
}
