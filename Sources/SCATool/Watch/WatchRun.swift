// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import Foundation
internal import HelperHost

/// The streams that a command watches: their frames, their states and the outputs.
final class WatchRun: Sendable {
    struct Settings: Sendable {
        var authority: AnalysisAuthority
        var engine: AnalysisEngine
        var limits: AnalysisLimits
        /// The format of raw frames on standard input; nil for Y4M.
        var raw: FrameFormat?
        /// The time for which the gate holds frames; nil without an output.
        var gateDelay: Duration?
    }

    let settings: Settings
    let service: StreamService
    let display: WatchDisplay
    private let terms: StreamTerms

    init(_ settings: Settings, display: WatchDisplay, service: StreamService = .shared) {
        self.settings = settings
        self.display = display
        self.service = service
        terms = StreamTerms(policy: settings.authority.policy)
    }

    /// Watches all inputs until they end.
    func watch(_ paths: [String]) async {
        // The first frames would otherwise pass while the model is loaded, and nobody would have judged them.
        await settings.engine.prepareForStreams()
        await withTaskGroup(of: Void.self) { group in
            for (index, path) in paths.enumerated() {
                group.addTask { await self.watch(path, row: index) }
            }
        }
    }

    private func watch(_ path: String, row: Int) async {
        // A file waits for a free decoder, and a wrong name must not wait with it.
        do throws(AnalysisFailure) {
            if path != "-" { _ = try OwnedDescriptor.openRegularFile(at: path) }
        } catch {
            return refuse(row, error.message)
        }
        let writer = settings.gateDelay == nil ? nil : GatedFrameWriter()
        let judge: StreamService.Judge = { [settings, display] content, _ in
            let finding = try await settings.engine.analyzeFrame(
                content, settings.authority.request(limits: settings.limits))
            display.countJudgement(row)
            return finding
        }
        let outlet = StreamService.Outlet(judge: judge) { [self] output in receive(output, row, writer) }
        let state = StreamService.State(terms: terms, gateDelay: settings.gateDelay)
        guard let number = service.add(participant: "\(row)", state, outlet) else {
            return refuse(row, "the system has no thread left")
        }
        var failure: String?
        do {
            if path == "-" {
                try await playStandardInput(number, row, writer)
            } else {
                try await playFile(path, number, row)
            }
        } catch let error as AnalysisFailure {
            let isY4M = error.code == .unsupportedMedia && path != "-" && Y4MHeader.isBeginning(ofFile: path)
            failure = isY4M ? "A Y4M stream is read from standard input: sca watch - < FILE" : error.message
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

    /// Plays a video file at its own speed.
    private func playFile(_ path: String, _ stream: Int, _ row: Int) async throws {
        let clock = PlaybackClock()
        let request = settings.authority.request(limits: settings.limits, expecting: .video)
        try await settings.engine.playFrames(request) {
            .file(path: path)
        } _: { [service, display] picture, time in
            try await Task.sleep(until: try clock.moment(of: time), clock: .continuous)
            display.countFrame(row, at: time)
            service.arrive(LivePicture(picture), in: stream)
        }
    }

    /// Reads frames from standard input, on a thread of its own, no faster than their rate.
    private func playStandardInput(_ stream: Int, _ row: Int, _ writer: GatedFrameWriter?) async throws {
        let raw = settings.raw
        let signature = Array(Y4MHeader.signature.utf8)
        let beginning = try await WorkerThread().result { () throws(AnalysisFailure) in
            raw == nil ? try FrameReader.bytes(of: 0, exactly: signature.count) : []
        }
        guard beginning.isEmpty || beginning == signature else {
            return try await playEncodedInput(beginning, stream, row, writer)
        }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let hasStarted = BackgroundThread.start {
                continuation.resume(with: Result { try self.readFrames(raw, beginning, stream, row, writer) })
            }
            if !hasStarted {
                continuation.resume(throwing: AnalysisFailure(.internalFailure, "The system has no thread left."))
            }
        }
    }

    private func readFrames(
        _ raw: FrameFormat?, _ beginning: [UInt8], _ stream: Int, _ row: Int, _ writer: GatedFrameWriter?
    ) throws(AnalysisFailure) {
        let reader = try FrameReader(0, raw: raw, beginning: beginning)
        writer?.begin(reader.format)
        var begin: ContinuousClock.Instant?
        var count = 0
        while let bytes = try reader.next() {
            let start = begin ?? .now
            begin = start
            let wait = ContinuousClock.now.duration(to: start + reader.format.interval * count)
            // Frames of a live stream come late, and are never delayed.
            if wait > .zero { Thread.sleep(forTimeInterval: wait / .seconds(1)) }
            let storage = ArrayPixelStorage(bytes)
            guard let pixels = reader.format.pixels(storage) else {
                throw AnalysisFailure(.internalFailure, "A frame does not fit its format. Please report it.")
            }
            let frame = GatedFrameWriter.Frame(pixels, storage, at: reader.format.interval * count)
            count += 1
            display.countFrame(row, at: start.duration(to: .now))
            service.arrive(LivePicture(pixels, isGated: writer != nil, source: frame), in: stream)
        }
        if count == 0 {
            throw AnalysisFailure(.unsupportedMedia, "Standard input has no frame. Check the program that writes it.")
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

    private func receive(_ output: StreamService.Output, _ row: Int, _ writer: GatedFrameWriter?) {
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
