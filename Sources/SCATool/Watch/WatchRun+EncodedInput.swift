// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import Foundation
internal import HelperHost
internal import LiveStreams
internal import Synchronization

extension WatchRun {
    /// Passes the bytes of an encoded stream to a decoder, whose frames are judged as they come.
    ///
    /// - Throws: `AnalysisFailure` of the decoder, or if the input cannot be read.
    func playEncodedInput(_ input: OwnedDescriptor, _ lane: Lane) async throws {
        try await play(.automatic, .bytes, lane) { send in
            let thread = WorkerThread()
            while !Task.isCancelled {
                let bytes = try await thread.result { () throws(AnalysisFailure) in
                    try InputBytes.next(of: input.number)
                }
                guard !bytes.isEmpty else { break }
                await send(bytes)
            }
        }
    }

    /// Passes datagrams to a decoder: of RTP with a session description, and otherwise of a transport stream.
    ///
    /// Datagrams have no end, so the stream goes on until the command is interrupted.
    func playDatagrams(_ source: WatchSource, _ lane: Lane) async throws {
        let description = settings.sessionDescription
        let framing = description.map { StreamFraming.datagrams(description: $0) } ?? .bytes
        let format: StreamFormat = description == nil ? .transportStream : .datagrams
        let input = try WatchInput.open(source)
        try await play(format, framing, lane) { send in
            let thread = WorkerThread()
            while !Task.isCancelled {
                let datagram = try await thread.result { () throws(AnalysisFailure) in
                    try InputBytes.next(of: input.number)
                }
                // Anyone on this machine may send an empty datagram, which is no end.
                guard !datagram.isEmpty else { continue }
                let bytes = description == nil ? datagram : StreamFraming.record(datagram)
                if let bytes { await send(bytes) }
            }
        }
    }

    /// Captures from a device or a node, whose frames are judged as they come.
    ///
    /// - Throws: `AnalysisFailure` of the source, or of the decoder of its pictures.
    func playCapture(_ input: CaptureInput, _ lane: Lane) async throws {
        let (ends, continuation) = AsyncStream<AnalysisFailure?>.makeStream()
        let start = ContinuousClock.now
        let capture = try settings.engine.capture(
            input, limits: settings.limits,
            display: lane.writer == nil ? .otherViewer : .ours, keepsFirstLook: lane.writer != nil
        ) { [self] event in
            switch event {
            case .frame(let frame): arrive(frame, at: frame.moment ?? start.duration(to: .now), since: start, lane)
            case .end: continuation.yield(nil)
            case .failure(let failure): continuation.yield(failure)
            }
        }
        defer { capture.end() }
        try await Self.wait(for: ends)
    }

    private func play(
        _ format: StreamFormat, _ framing: StreamFraming, _ lane: Lane,
        _ readInput: @escaping @Sendable (@Sendable ([UInt8]) async -> Void) async throws -> Void
    ) async throws {
        let (ends, continuation) = AsyncStream<AnalysisFailure?>.makeStream()
        let pace = Mutex(StreamPace())
        // The time for which the sender has waited for the decoder.
        let waited = Mutex(Duration.zero)
        let start = ContinuousClock.now
        let decoder = try settings.engine.decodeStream(
            // With an output, nobody sees anything but the frames that are decoded here.
            format, framing: framing, limits: settings.limits,
            display: lane.writer == nil ? .otherViewer : .ours, keepsFirstLook: lane.writer != nil
        ) { [self] event in
            switch event {
            case .frame(let frame):
                // With an output, nobody sees another player.
                if frame.followsLoss, lane.writer == nil { lane.doubts.note(StreamDoubts.loss) }
                if frame.moment == nil, lane.writer == nil, waited.withLock({ $0 }) > Self.longestWait {
                    waited.withLock { $0 = .zero }
                    lane.doubts.note(StreamDoubts.speed)
                }
                let (wait, moment, hasJumped) = pace.withLock {
                    ($0.delay(before: frame.moment, at: .now), $0.position, $0.hasJumped)
                }
                if hasJumped, lane.writer == nil { lane.doubts.note(StreamDoubts.jump) }
                guard let wait else {
                    continuation.yield(Self.hasNoSpeed)
                    return
                }
                if wait > .zero { Thread.sleep(forTimeInterval: wait / .seconds(1)) }
                arrive(frame, at: moment, since: start, lane)
            case .end: continuation.yield(nil)
            case .failure(let failure): continuation.yield(failure)
            }
        }
        defer { decoder.end() }
        let sender = Task {
            // The decoder ends as well if the input cannot be read.
            defer { decoder.finish() }
            try await readInput { bytes in
                let begin = ContinuousClock.now
                await decoder.send(bytes)
                waited.withLock { $0 += begin.duration(to: .now) }
            }
        }
        defer { sender.cancel() }
        try await Self.wait(for: ends)
        try await sender.value
    }

    /// Waits for the end of a source, which is nil or a failure.
    private static func wait(for ends: AsyncStream<AnalysisFailure?>) async throws {
        for await failure in ends {
            if let failure { throw failure }
            return
        }
    }

    private func arrive(
        _ frame: LiveStreamFrame, at moment: Duration, since start: ContinuousClock.Instant, _ lane: Lane
    ) {
        display.countFrame(lane.row, at: start.duration(to: .now))
        let source = GatedFrameWriter.Frame(frame.pixels, frame.memory, at: moment, rate: frame.rate)
        lane.writer?.note(source)
        service.arrive(LivePicture(frame.pixels, isGated: lane.writer != nil, source: source), in: lane.stream)
    }

    /// The time for which a sender may wait before its stream counts as faster than it is judged.
    private static let longestWait = Duration.seconds(1)
    private static let hasNoSpeed = AnalysisFailure(
        .malformedMedia,
        "The times of the frames do not grow, so the stream has no speed at which it could be judged as it is shown.")
}
