// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import LiveStreams
import Synchronization

/// The times of encoded live streams on the real clock: from the bytes of the first frame of a sensitive scene to its event,
/// and between two analyses of a stream, with the real decoders and the real model.
final class EncodedTimes: Sendable {
    private typealias Instant = ContinuousClock.Instant

    /// A container, whose frames may be complete with their last byte or only with the begin of a later frame.
    enum Container: String, CaseIterable {
        case flv
        case matroska
        case mpegts

        var format: StreamFormat {
            switch self {
            case .flv: .flv
            case .matroska: .matroska
            case .mpegts: .transportStream
            }
        }
    }

    /// A stream of 1280 × 720 at 30 frames a second, cut before each frame.
    struct Material: Sendable {
        let format: StreamFormat
        let pieces: [[UInt8]]

        /// Whether a frame belongs to a scene, half a second in every two; the offset is that of the stream.
        static func isSensitive(_ number: Int, offset: Int) -> Bool { (number + offset) % 60 >= 45 }
    }

    private let service = StreamService<Never>(laneCount: 2)
    private let engine: MediaEngine
    private let state: Mutex<State>

    private struct State {
        var sceneBegin: [Instant?]
        var lastJudged: [Instant?]
        var latencies: [Double] = []
        var gaps: [Double] = []
        /// The times that analyses take.
        var analyses: [Double] = []
        /// The times from the bytes of a frame to the decoded frame.
        var decodings: [Double] = []
        /// The times at which the frames of each stream were sent, and the number of those that have come.
        var sent: [[Instant]]
        var arrivedCount: [Int]
        var frameCount = 0
        var failures: [String] = []
    }

    init(_ engine: MediaEngine, streams: Int) {
        self.engine = engine
        let none = [Instant?](repeating: nil, count: streams)
        state = Mutex(
            State(
                sceneBegin: none, lastJudged: none, sent: [[Instant]](repeating: [], count: streams),
                arrivedCount: [Int](repeating: 0, count: streams)))
    }

    /// Makes the stream of a scene, in which half a second of every two is sensitive: negative, with a white mark.
    static func materials(
        _ motion: Motion, _ photographs: [Photograph], offset: Int, seconds: Int
    ) throws -> [Container: Material] {
        let clip = Clip(
            motion: motion, background: photographs[offset % photographs.count],
            person: photographs[(offset + 1) % photographs.count], seed: UInt64(offset) + 3)
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("sca-encoded-\(getpid())-\(offset).h264")
        let raw = folder.appendingPathComponent("sca-encoded-\(getpid())-\(offset).raw")
        defer { for file in [file, raw] { try? FileManager.default.removeItem(at: file) } }
        let frames = (0..<(seconds * 30)).map { clip.frame($0).samples }
        try Data(frames.joined()).write(to: raw)
        let scene = "gte(mod(n+\(offset),60),45)"
        let filter =
            "scale=1280:720,negate=enable='\(scene)',drawbox=w=64:h=64:c=black:t=fill,"
            + "drawbox=w=64:h=64:c=white:t=fill:enable='\(scene)'"
        _ = try run(
            "ffmpeg",
            [
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(Canvas.width)x\(Canvas.height)", "-framerate", "30",
                "-i", raw.path, "-vf", filter, "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-g",
                "60", "-b:v", "2M", "-f", "matroska", "-y", file.path,
            ])
        return try Container.allCases.reduce(into: [:]) { materials, container in
            materials[container] = try material(container, of: file)
        }
    }

    /// Puts the frames of a file into a container, as a program does that sends them at once.
    private static func material(_ container: Container, of encoded: URL) throws -> Material {
        let file = encoded.appendingPathExtension(container.rawValue)
        defer { try? FileManager.default.removeItem(at: file) }
        let live = container == .matroska ? ["-live", "1"] : []
        _ = try run(
            "ffmpeg", ["-i", encoded.path, "-c", "copy", "-f", container.rawValue] + live + ["-y", file.path])
        let positions = try run(
            "ffprobe", ["-show_entries", "packet=pos", "-of", "csv=p=0", file.path]
        ).split(separator: "\n").compactMap { Int($0.prefix { $0.isNumber }) }
        let bytes = [UInt8](try Data(contentsOf: file))
        let starts = [0] + positions.dropFirst()
        return Material(
            format: container.format,
            pieces: zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[$0..<$1]) })
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(program)")
        process.arguments = ["-v", "error"] + arguments
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Plays streams at their speed, and prints the times and the use of the processor.
    ///
    /// - Returns: whether 95 % of the events came within 300 ms, and no gap was longer than 0.6 s.
    func run(_ name: String, _ materials: [Material]) async -> Bool {
        let (start, busy, stolen) = (Instant.now, machineBusySeconds, machineStolenSeconds)
        let (own, ended) = (Self.processorSeconds, Self.endedSeconds)
        await withTaskGroup(of: Void.self) { group in
            for index in materials.indices { group.addTask { await self.play(index, materials[index]) } }
        }
        let wall = start.duration(to: .now) / .seconds(1)
        let end = Self.processorSeconds
        func seconds(_ name: String) -> Double { (end[name] ?? 0) - (own[name] ?? 0) }
        // A process of the model may have ended meanwhile, so helpers are counted together.
        let helpers = String(format: "%.2f", (Self.endedSeconds - ended + seconds("sca-model-runne")) / wall)
        let host = String(format: "%.2f", seconds("StreamCampaign") / wall)
        let used = String(format: "%.2f", (machineBusySeconds - busy) / wall)
        let lost = String(format: "%.2f", (machineStolenSeconds - stolen) / wall)
        return state.withLock { state in
            func times(_ values: [Double]) -> String { percentiles(values, digits: 0) }
            report(
                "\(name), \(materials.count) encoded streams of 720p30: \(state.frameCount) frames, decoded after"
                    + " \(times(state.decodings)) ms, analysed in \(times(state.analyses)) ms,"
                    + " \(state.latencies.count) findings after \(times(state.latencies)) ms, gaps \(times(state.gaps)) ms (p50 / p95 / p99 /"
                    + " most)")
            report(
                "  cores: decoders and model \(helpers), host \(host), machine \(used), of which \(lost) went to other machines;"
                    + " failures: \(state.failures)")
            let sorted = state.latencies.sorted()
            guard !sorted.isEmpty, state.failures.isEmpty else { return false }
            return sorted[sorted.count * 95 / 100] <= 300 && state.gaps.max() ?? .infinity <= 600
        }
    }

    private func play(_ index: Int, _ material: Material) async {
        let outlet = StreamService<Never>.Outlet(judge: { content, terms in
            let start = Instant.now
            _ = try await self.engine.analyzeFrame(content, AnalysisRequest(policy: terms.policy))
            self.state.withLock { $0.analyses.append(start.duration(to: .now) / .milliseconds(1)) }
            return self.judgement(of: content, terms, index)
        }) { self.receive($0, index) }
        let added = service.add(
            participant: "\(index)", isDecodedHere: true,
            StreamService<Never>.State(terms: StreamTerms(policy: .simple), gateDelay: nil), outlet)
        guard let stream = added else { fatalError("the system has no thread left") }
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        let decoder: StreamDecoder
        do {
            decoder = try engine.decodeStream(material.format, limits: AnalysisLimits()) { event in
                switch event {
                case .frame(let frame):
                    self.state.withLock { state in
                        let number = state.arrivedCount[index]
                        state.arrivedCount[index] += 1
                        state.frameCount += 1
                        if number < state.sent[index].count {
                            state.decodings.append(state.sent[index][number].duration(to: .now) / .milliseconds(1))
                        }
                    }
                    if !Self.isMarked(frame.pixels), self.service.activeFinding(of: stream) != nil {
                        self.service.continueStream(stream, accepts: false)
                    }
                    self.service.arrive(LivePicture(frame.pixels, isGated: false), in: stream)
                case .end: continuation.finish()
                case .failure(let failure):
                    self.state.withLock { $0.failures.append(failure.message) }
                    continuation.finish()
                }
            }
        } catch {
            return state.withLock { $0.failures.append("\(error)") }
        }
        // Streams do not begin at the same moment.
        let begin = Instant.now + .milliseconds(index * 37)
        for (number, piece) in material.pieces.enumerated() {
            try? await Task.sleep(until: begin + .microseconds(number * 33_333), clock: .continuous)
            let isSensitive = Material.isSensitive(number, offset: index * 7)
            let wasSensitive = number == 0 || Material.isSensitive(number - 1, offset: index * 7)
            // The first second goes by until the decoder has started.
            state.withLock { state in
                state.sent[index].append(.now)
                if isSensitive, !wasSensitive, number > 60 { state.sceneBegin[index] = .now }
            }
            await decoder.send(piece)
        }
        decoder.finish()
        for await _ in ends {}
        service.remove(stream)
    }

    private func judgement(of content: LiveContent, _ terms: StreamTerms, _ index: Int) -> StreamFinding {
        state.withLock { state in
            if let last = state.lastJudged[index] { state.gaps.append(last.duration(to: .now) / .milliseconds(1)) }
            state.lastJudged[index] = .now
        }
        guard case .pixels(let pixels) = content else { fatalError("a frame has no pixels") }
        let isSensitive = Self.isMarked(pixels)
        return StreamFinding(
            level: isSensitive ? .strong : .harmless, types: isSensitive ? [.sexuallyExplicit] : [],
            score: isSensitive ? 1 : 0, modelName: "scripted", policy: terms.policy)
    }

    private func receive(_ output: StreamService<Never>.Output, _ index: Int) {
        guard case .event(.finding(let finding), _) = output, !finding.isHarmless else { return }
        state.withLock { state in
            // A stream that waits for the person is not analysed.
            state.lastJudged[index] = nil
            guard let since = state.sceneBegin[index] else { return }
            state.latencies.append(since.duration(to: .now) / .milliseconds(1))
            state.sceneBegin[index] = nil
        }
    }

    /// Whether a frame has the white mark in its upper left corner.
    private static func isMarked(_ pixels: VideoPixels) -> Bool {
        pixels.planes[0].storage.withBytes { $0[32 * pixels.planes[0].bytesPerRow + 32] > 128 }
    }

    /// The processor time of this process and of its helpers, in seconds, by the first fifteen letters of the programs.
    private static var processorSeconds: [String: Double] {
        var seconds: [String: Double] = [:]
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(name) != nil {
            guard let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
            else { continue }
            let fields = text[text.index(after: close)...].split(separator: " ")
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { continue }
            seconds[String(text[text.index(after: open)..<close]), default: 0] += (user + system) / ticks
        }
        return seconds
    }

    /// The processor time of the decoders that have ended, in seconds.
    private static var endedSeconds: Double {
        // The helpers end a moment after their streams.
        Thread.sleep(forTimeInterval: 0.5)
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    /// Measures one, four and eight streams, of calls and of pans.
    ///
    /// - Returns: whether the times of calls keep the bounds. Those of pans are stated.
    static func runAll(_ photographs: [Photograph], seconds: Int) async throws -> Bool {
        let engine = SharedEngines.engine(for: EngineConfiguration())
        var areKept = true
        for motion in [Motion.call, .pan] {
            let materials = try (0..<8).map { index in
                try Self.materials(motion, photographs, offset: index * 7, seconds: seconds)
            }
            for (container, count) in Container.allCases.flatMap({ container in [1, 4, 8].map { (container, $0) } }) {
                // The model's process may have ended while the material was made, and its start is measured elsewhere.
                await engine.prepareForStreams()
                let isKept = await EncodedTimes(engine, streams: count).run(
                    "\(motion.rawValue) in \(container.rawValue)", materials.prefix(count).map { $0[container]! })
                areKept = areKept && (isKept || motion == .pan)
            }
        }
        return areKept
    }
}
