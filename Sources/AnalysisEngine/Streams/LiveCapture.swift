// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
package import HelperProtocol
internal import Synchronization
package import VideoCapture

/// The capture from a device of this machine, on a thread of its own.
///
/// Frames without compression are copied here. JPEG pictures are decoded in a process of their own, as other media are.
package final class LiveCapture: Sendable {
    private let receive: @Sendable (LiveStreamEvent) -> Void
    private let state = Mutex(State())

    private struct State {
        var decoder: StreamDecoder?
        var hasEnded = false
    }

    /// Starts the capture.
    ///
    /// - Parameters:
    ///   - open: opens the device, which may take a second.
    ///   - decode: starts a decoder of packets.
    ///   - receive: called with each frame and with a failure, on one thread at a time.
    /// - Throws: `AnalysisFailure` if the system has no thread left.
    package init(
        open: @escaping @Sendable () throws(AnalysisFailure) -> CaptureDevice, decode: @escaping Decode,
        receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws {
        self.receive = receive
        guard BackgroundThread.start(blocksSignals: true, { [self] in run(open, decode) }) else {
            throw AnalysisFailure(.internalFailure, "The system has no thread left for a capture.")
        }
    }

    package typealias Decode =
        @Sendable (@escaping @Sendable (LiveStreamEvent) -> Void) throws -> StreamDecoder

    /// Gives the capture up; nothing is delivered afterwards.
    package func end() {
        let decoder = state.withLock { state in
            state.hasEnded = true
            defer { state.decoder = nil }
            return state.decoder
        }
        decoder?.end()
    }

    private var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Captures until the capture is given up or fails.
    private func run(_ open: () throws(AnalysisFailure) -> CaptureDevice, _ decode: Decode) {
        do {
            let device = try open()
            let sender = device.encoding == .jpeg ? try startDecoder(decode) : nil
            defer { sender?.finish() }
            try device.run(while: { !hasEnded }) { frame in
                switch frame.content {
                case .planes(let pixels, let memory): deliver(.frame(LiveStreamFrame(pixels, memory, at: frame.moment)))
                case .jpeg(let bytes): sender?.send(bytes, at: frame.moment)
                }
            }
        } catch let failure as AnalysisFailure {
            fail(failure)
        } catch {
            fail(AnalysisFailure(.internalFailure, "The device could not be used. Please report it.", cause: error))
        }
    }

    private func startDecoder(_ decode: Decode) throws -> PacketSender {
        let decoder = try decode { [weak self] event in
            switch event {
            case .frame: self?.deliver(event)
            // A decoder ends only after it was told to, or with a failure.
            case .end: break
            case .failure(let failure): self?.fail(failure)
            }
        }
        let isWanted = state.withLock { state in
            if !state.hasEnded { state.decoder = decoder }
            return !state.hasEnded
        }
        if !isWanted { decoder.end() }
        return PacketSender(decoder)
    }

    private func deliver(_ event: LiveStreamEvent) {
        if !hasEnded { receive(event) }
    }

    /// Reports the first failure, and ends the capture.
    private func fail(_ failure: AnalysisFailure) {
        let (isFirst, decoder) = state.withLock { state in
            defer { (state.hasEnded, state.decoder) = (true, nil) }
            return (!state.hasEnded, state.decoder)
        }
        decoder?.end()
        if isFirst { receive(.failure(failure)) }
    }
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

    func send(_ picture: [UInt8], at moment: Duration?) {
        let time = UInt64(max(0, (moment ?? .zero) / .microseconds(1)))
        if let packet = StreamFraming.packet(picture, time: time) { continuation.yield(packet) }
    }

    func finish() { continuation.finish() }
}

/// A source of frames of this machine.
package enum CaptureInput: Sendable {
    /// A device of Video4Linux2, such as /dev/video0.
    case device(path: String, CaptureWish)
}

extension AnalysisEngine {
    /// Starts a capture.
    ///
    /// - Parameters:
    ///   - display: how the frames are displayed.
    ///   - receive: called with each frame and with a failure, on one thread at a time.
    /// - Throws: `AnalysisFailure` for an impossible wish, or if the system has no thread left.
    package func capture(
        _ input: CaptureInput, limits: AnalysisLimits, display: StreamDisplay = .frames,
        receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws -> LiveCapture {
        try limits.validate()
        switch input {
        case .device(let path, let wish):
            try wish.check()
            return try LiveCapture { () throws(AnalysisFailure) in
                try CaptureDevice(path: path, wish, limits: limits)
            } decode: { receive in
                try self.decodeStream(
                    .packets, framing: .packets(codec: "MJPG"), limits: limits, display: display, receive: receive)
            } receive: {
                receive($0)
            }
        }
    }
}
