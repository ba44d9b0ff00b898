// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import HelperHost
internal import HelperProtocol
internal import Synchronization

extension WatchRun {
    /// Passes standard input to a decoder, whose frames are judged as they come.
    ///
    /// - Parameter beginning: the bytes that were already read.
    /// - Throws: `AnalysisFailure` of the decoder, or if the input cannot be read.
    func playEncodedInput(
        _ beginning: [UInt8], _ stream: Int, _ row: Int, _ writer: GatedFrameWriter?
    ) async throws {
        let (events, continuation) = AsyncStream<AnalysisFailure?>.makeStream()
        let pace = Mutex(StreamPace())
        let start = ContinuousClock.now
        let decoder = try settings.engine.decodeStream(
            // With an output, nobody sees anything but the frames that are decoded here.
            .automatic, limits: settings.limits, display: writer == nil ? .otherPlayer : .framesOfOneSize
        ) { [service, display] event in
            switch event {
            case .frame(let frame):
                let (wait, moment) = pace.withLock { ($0.delay(before: frame.moment, at: .now), $0.position) }
                guard let wait else {
                    continuation.yield(Self.hasNoSpeed)
                    return
                }
                if wait > .zero { Thread.sleep(forTimeInterval: wait / .seconds(1)) }
                display.countFrame(row, at: start.duration(to: .now))
                let source = GatedFrameWriter.Frame(frame.pixels, frame.memory, at: moment)
                writer?.note(source)
                service.arrive(LivePicture(frame.pixels, isGated: writer != nil, source: source), in: stream)
            case .end: continuation.yield(nil)
            case .failure(let failure): continuation.yield(failure)
            }
        }
        defer { decoder.end() }
        let sender = Task { try await Self.send(beginning, to: decoder) }
        defer { sender.cancel() }
        for await failure in events {
            if let failure { throw failure }
            break
        }
        try await sender.value
    }

    private static let hasNoSpeed = AnalysisFailure(
        .malformedMedia,
        "The times of the frames do not grow, so the stream has no speed at which it could be judged as it is shown.")

    /// Sends what was read and the rest of standard input.
    private static func send(_ beginning: [UInt8], to decoder: StreamDecoder) async throws {
        let thread = WorkerThread()
        // The decoder ends as well if the input cannot be read.
        defer { decoder.finish() }
        await decoder.send(beginning)
        while !Task.isCancelled {
            let bytes = try await thread.result { () throws(AnalysisFailure) in try FrameReader.bytes(of: 0) }
            guard !bytes.isEmpty else { break }
            await decoder.send(bytes)
        }
    }
}
