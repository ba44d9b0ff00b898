// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import Foundation
internal import HelperHost
internal import LiveStreams
internal import VideoCapture

/// The streams that a command watches: their frames, their states and the outputs.
final class WatchRun: Sendable {
    struct Settings: Sendable {
        var authority: AnalysisAuthority
        var engine: MediaEngine
        var limits: AnalysisLimits
        /// The format of raw frames on standard input; nil for encoded streams.
        var raw: FrameFormat?
        /// The description of the session whose datagrams come; nil for a transport stream.
        var sessionDescription: [UInt8]?
        /// The wished frames of devices.
        var wish = CaptureWish()
        /// The time for which the gate holds frames; nil without an output.
        var gateDelay: Duration?
    }

    let settings: Settings
    let service: GatedFrameWriter.Service
    let display: WatchDisplay
    private let terms: StreamTerms

    init(
        _ settings: Settings, display: WatchDisplay,
        service: GatedFrameWriter.Service = GatedFrameWriter.Service(laneCount: EngineConfiguration().concurrency)
    ) {
        self.settings = settings
        self.display = display
        self.service = service
        terms = StreamTerms(policy: settings.authority.policy)
    }

    /// Watches all inputs until they end.
    func watch(_ sources: [WatchSource]) async {
        // The first frames would otherwise pass while the model is loaded, and nobody would have judged them.
        do {
            try await settings.engine.requireModel()
        } catch let failure as AnalysisFailure where failure.code == .modelUnavailable {
            for row in sources.indices { refuse(row, failure.message) }
            return
        } catch {
            // Each frame will fail in the same way, and say so.
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, source) in sources.enumerated() {
                group.addTask { await self.watch(source, row: index) }
            }
        }
    }

    private func watch(_ source: WatchSource, row: Int) async {
        // A file waits for a free decoder, and a wrong name must not wait with it.
        do throws(AnalysisFailure) {
            if case .file(let path) = source { _ = try OwnedDescriptor.openRegularFile(at: path) }
        } catch {
            return refuse(row, error.message)
        }
        let writer = settings.gateDelay == nil ? nil : GatedFrameWriter()
        let doubts = StreamDoubts()
        let judge: GatedFrameWriter.Service.Judge = { [settings, display] content, _ in
            let finding = try await settings.engine.analyzeFrame(
                content, settings.authority.request(limits: settings.limits))
            display.countJudgement(row)
            if finding.isHarmless, let doubt = doubts.reason() { throw doubt }
            return finding
        }
        let lookAgain: GatedFrameWriter.Service.Judge = { [settings] content, _ in
            try await settings.engine.analyzeFrame(
                content, settings.authority.request(limits: settings.limits), isSecondLook: true)
        }
        let outlet = GatedFrameWriter.Service.Outlet(judge: judge, lookAgain: lookAgain) { [self] output in
            receive(output, row, writer)
        }
        let state = GatedFrameWriter.Service.State(
            terms: terms, gateDelay: settings.gateDelay,
            timing: StreamTiming(secondLookInterval: StreamTiming.ordinarySecondLookInterval))
        guard let number = service.add(participant: "\(row)", isDecodedHere: true, state, outlet) else {
            return refuse(row, "the system has no thread left")
        }
        var failure: String?
        do {
            let lane = Lane(stream: number, row: row, writer: writer, doubts: doubts)
            switch source {
            case .file(let path): try await playFile(path, lane)
            case .device(let path): try await playCapture(.device(path: path, settings.wish), lane)
            case .node(let target): try await playCapture(.node(CaptureNode(target: target)), lane)
            case .datagrams: try await playDatagrams(source, lane)
            case .standardInput, .pipe, .socket: try await playBytes(source, lane)
            }
        } catch let error as AnalysisFailure {
            failure = explain(error, source)
        } catch {
            failure = "interrupted"
        }
        // The frames before a failure count, and leave the gate.
        await settle(number)
        // The last news may not have been told yet.
        if let last = service.status(of: number) { display.change(row, last.status) }
        if let failure { display.change(row, WatchState(name: .unknown, reason: failure)) }
        service.remove(number)
        writer?.finish()
        display.end(row)
    }

    /// Ends a stream of which nothing can be judged.
    private func refuse(_ row: Int, _ reason: String) {
        display.change(row, WatchState(name: .unknown, reason: reason))
        display.end(row)
    }

    private func explain(_ failure: AnalysisFailure, _ source: WatchSource) -> String {
        guard failure.code == .unsupportedMedia, case .file = source else { return failure.message }
        return failure.message + " A stream in a file, such as Y4M, is read from standard input: sca watch - < FILE"
    }

    /// The place of a stream: its number in the service, its row in the display, and its output.
    struct Lane: Sendable {
        let stream: Int
        let row: Int
        /// The output of the gate; nil without one.
        let writer: GatedFrameWriter?
        let doubts: StreamDoubts
    }

    /// Plays a video file at its own speed.
    private func playFile(_ path: String, _ lane: Lane) async throws {
        let clock = PlaybackClock()
        let request = settings.authority.request(limits: settings.limits)
        try await settings.engine.playFrames(request) {
            .file(path: path)
        } _: { [service, display] picture, time in
            try await Task.sleep(until: try clock.moment(of: time), clock: .continuous)
            display.countFrame(lane.row, at: time)
            service.arrive(LivePicture(picture), in: lane.stream)
        }
    }

    /// Reads a pipe or a socket: an encoded stream, or raw frames if the settings have their format.
    private func playBytes(_ source: WatchSource, _ lane: Lane) async throws {
        let input = try await WorkerThread().result { () throws(AnalysisFailure) in try WatchInput.open(source) }
        guard source == .standardInput, let format = settings.raw else {
            return try await playEncodedInput(input, lane)
        }
        try format.check()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let hasStarted = BackgroundThread.start {
                continuation.resume(with: Result { try self.playFrames(input, format, lane) })
            }
            if !hasStarted {
                continuation.resume(throwing: AnalysisFailure(.internalFailure, "The system has no thread left."))
            }
        }
    }

    /// Reads raw frames on the current thread, no faster than their rate.
    private func playFrames(_ input: OwnedDescriptor, _ format: FrameFormat, _ lane: Lane) throws(AnalysisFailure) {
        lane.writer?.begin(format)
        var pace = StreamPace(longestStep: .seconds(60))
        let start = ContinuousClock.now
        var moment = Duration.zero
        while true {
            let bytes = try InputBytes.next(of: input.number, exactly: format.byteCount)
            if bytes.isEmpty { break }
            let storage = ArrayPixelStorage(bytes)
            guard bytes.count == format.byteCount, let pixels = format.pixels(storage) else {
                throw AnalysisFailure(
                    .malformedMedia,
                    "The stream ended within a frame, after \(bytes.count) of \(format.byteCount) bytes."
                        + " Check that --raw and --pixel-format are what the program writes.")
            }
            let wait = pace.delay(before: moment, at: .now) ?? .zero
            if wait > .zero { Thread.sleep(forTimeInterval: wait / .seconds(1)) }
            let frame = GatedFrameWriter.Frame(pixels, storage, at: moment)
            moment += format.interval
            display.countFrame(lane.row, at: start.duration(to: .now))
            service.arrive(LivePicture(pixels, isGated: lane.writer != nil, source: frame), in: lane.stream)
        }
        guard moment > .zero else {
            throw AnalysisFailure(.unsupportedMedia, "The stream has no frame. Check the program that writes it.")
        }
    }

    /// Waits until the last frame has been judged and has left the gate, for three seconds at most.
    private func settle(_ stream: Int) async {
        let end = ContinuousClock.now + .seconds(3)
        let gateEnd = ContinuousClock.now + (settings.gateDelay ?? .zero) + .milliseconds(50)
        while ContinuousClock.now < end {
            let isDone = service.isSettled(stream)
            if isDone, ContinuousClock.now >= gateEnd { return }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func receive(_ output: GatedFrameWriter.Service.Output, _ row: Int, _ writer: GatedFrameWriter?) {
        switch output {
        case .event(.finding(let finding), _):
            guard !finding.isHarmless else { return }
            // Nobody is asked here, so the stream is judged again after a while; the state remains meanwhile.
            Task { [service] in
                try? await Task.sleep(for: StreamTiming().hold)
                service.continueStreams(ofParticipant: "\(row)")
            }
        case .event(.failure, let failure):
            display.fail(failure?.message)
        case .status(let known): display.change(row, known.status)
        case .release(let release, _, _): writer?.write(release)
        }
    }
}
