// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import AnalysisEngine
package import HelperHost
internal import VideoCapture

extension MediaEngine {
    /// Starts a capture.
    ///
    /// - Parameters:
    ///   - keepsFirstLook: whether all frames have the size and the colours of the first one.
    ///   - receive: called with each frame and with the end, on one thread at a time.
    /// - Throws: `AnalysisFailure` for an impossible wish, or if the system has no thread left.
    package func capture(
        _ input: CaptureInput, limits: AnalysisLimits, display: Display = .ours, keepsFirstLook: Bool = false,
        receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws -> LiveCapture {
        try limits.validate()
        // A capture has no other bytes that another player could read; nodes are checked by the program.
        switch input {
        case .device(let path, let wish):
            try wish.check()
            return try LiveCapture(
                device: { () throws(AnalysisFailure) in try CaptureDevice(path: path, wish, limits: limits) },
                decode: { receive in
                    try self.decodeStream(
                        .packets, framing: .packets(codec: "MJPG"), limits: limits, keepsFirstLook: keepsFirstLook,
                        receive: receive)
                }, receive: receive)
        case .node(let node):
            let request = try node.request(limits, isForOtherPlayer: display == .otherViewer)
            return try LiveCapture(
                node: { () throws(AnalysisFailure) in
                    try CaptureProgram(self.captureProgram, request, remote: node.remote)
                },
                decode: { receive in
                    try self.decodeStream(.matroska, limits: limits, keepsFirstLook: keepsFirstLook, receive: receive)
                }, receive: receive)
        }
    }
}
