// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import HelperHost
internal import VideoCapture

extension LiveCapture {
    /// Starts the capture from a device.
    ///
    /// Frames without compression are copied here. JPEG pictures are decoded in a process of their own, as other media
    /// are.
    ///
    /// - Parameters:
    ///   - open: opens the device, which may take a second.
    ///   - patience: the longest time without a picture that can be decoded.
    ///   - decode: starts a decoder of packets.
    ///   - receive: called with each frame and with a failure, on one thread at a time.
    /// - Throws: `AnalysisFailure` if the system has no thread left.
    package convenience init(
        device open: @escaping OpenDevice, patience: Duration = .seconds(10), decode: @escaping Decode,
        receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws {
        try self.init(receive: receive) { capture in
            let device = try open()
            let sender = device.encoding == .jpeg ? PacketSender(try capture.startDecoder(decode)) : nil
            defer { sender?.finish() }
            var isStalled = false
            try device.run {
                // Pictures may come that the decoder cannot read.
                isStalled = sender != nil && capture.silence > patience
                return !capture.hasEnded && !isStalled
            } receive: { frame in
                switch frame.content {
                case .planes(let pixels, let memory):
                    capture.deliver(LiveStreamFrame(pixels, memory, at: frame.moment))
                case .jpeg(let bytes): sender?.send(bytes, at: frame.moment)
                }
            }
            if isStalled { throw Self.hasNoPicture }
        }
    }

    private static let hasNoPicture = AnalysisFailure(
        .timedOut,
        "None of the pictures of the device could be decoded for some time. Check its cable, or connect it again.")
}

/// Passes the newest pictures of a camera on to a decoder; while it is behind, older pictures are dropped.
private struct PacketSender {
    private let continuation: AsyncStream<[UInt8]>.Continuation

    init(_ decoder: StreamDecoder) {
        let packets: AsyncStream<[UInt8]>
        (packets, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(2))
        Task {
            for await packet in packets { await decoder.send(packet) }
        }
    }

    func send(_ picture: [UInt8], at moment: Duration) {
        let time = UInt64(max(0, moment / .microseconds(1)))
        if let packet = StreamFraming.packet(picture, time: time) { continuation.yield(packet) }
    }

    func finish() { continuation.finish() }
}
