// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import FileAccess
internal import Foundation
internal import Glibc
internal import VideoCapture

package struct WatchCommand: AsyncParsableCommand, CommandWithNames {
    package static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Judge live streams while they run: cameras, pipes, sockets, and video files at their own speed.",
        discussion: """
            Standard input (-) is an encoded stream (MPEG-TS, Matroska, WebM, FLV, MP4 with its index first, Ogg, IVF, \
            JPEG pictures, H.264 or HEVC behind start codes), a Y4M stream, or raw frames with --raw:

              ffmpeg -v error -nostdin -i rtsp://camera/stream -c copy -f mpegts - | sca watch -

            A named pipe or a unix socket is read in the same way. A device such as /dev/video0 is a camera, \
            and pipewire:NAME is a camera or another source of PipeWire. \
            udp://127.0.0.1:PORT receives a transport stream from a program on this machine, or RTP with --sdp \
            and --output.

            With --output -, judged frames of one live stream go to standard output as Y4M, and covers in the place \
            of all others:

              ffmpeg -v error -nostdin -i rtsp://camera/stream -c copy -f mpegts - | sca watch --output - - | ffplay -

            With --output -, the result is about the frames that were decoded and written.

            Exit codes: 0 all streams were judged throughout and none was sensitive, 1 at least one was sensitive, \
            2 none was sensitive and one could not be judged in time or at all, 64 wrong usage, 74 the results cannot \
            be written or the program of --exec cannot be started or does not end, 130 interrupted.
            """)

    @Argument(
        help: ArgumentHelp(
            "Video files, - for standard input, named pipes, unix sockets, capture devices, pipewire:NAME, or udp://127.0.0.1:PORT.",
            valueName: "stream"), completion: .file())
    var streams: [String]

    @Option(help: "The strictness: simple is for adults, descriptive for children.")
    var policy = AnalyzeCommand.PolicyArgument.simple

    @Option(
        help: ArgumentHelp(
            """
            The score from which on media is sensitive, above 0 and up to 1, in place of the model's thresholds. Under \
            Communication Safety it can only make verdicts stricter.
            """, valueName: "score"))
    var threshold: Float?

    @Option(
        help: ArgumentHelp("The model to use; 'sca model list' shows what there is.", valueName: "name"),
        completion: .installedModels)
    var model: String?

    @Option(help: "A table that updates in place, or one JSON object for each change.")
    var format = FormatArgument.table

    @Option(
        help: ArgumentHelp(
            "Standard input has raw frames of this size and rate, for example 640x360@30.", valueName: "WxH@rate"))
    var raw: String?

    @Option(help: ArgumentHelp("The format of raw frames. (default: i420)", valueName: "i420|nv12|bgra|rgba"))
    var pixelFormat: PixelFormatArgument?

    @Option(
        help: ArgumentHelp(
            "The wished size and rate of frames of devices. (default: 1280x720@30)", valueName: "WxH@rate"))
    var size: String?

    @Option(
        help: ArgumentHelp(
            "The session description of RTP datagrams, for udp://127.0.0.1:PORT with --output -.", valueName: "file"),
        completion: .file())
    var sdp: String?

    @Option(
        help: ArgumentHelp("Write the frames that may be shown to standard output (-), as Y4M.", valueName: "-"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The time from a frame to its output, 0 to 2. A longer time helps where analyses are late. (default: 0.25)",
            valueName: "seconds"))
    var delay: Double?

    @Option(
        help: ArgumentHelp(
            "Start this program at each change, with the state in words and the stream as its arguments.",
            valueName: "program"), completion: .file())
    var exec: String?

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    enum FormatArgument: String, ExpressibleByArgument, CaseIterable {
        case table
        case jsonl
    }

    package init() {}

    enum PixelFormatArgument: String, ExpressibleByArgument, CaseIterable {
        case i420
        case nv12
        case bgra
        case rgba

        var ofCore: VideoPixelFormat {
            switch self {
            case .i420: .i420Video
            case .nv12: .nv12Video
            case .bgra: .bgra
            case .rgba: .rgba
            }
        }
    }

    package func validate() throws {
        guard !streams.isEmpty, streams.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Name the streams to watch; standard input (-) can be read only once.")
        }
        try ArgumentCheck.checkStandardInput(among: streams)
        let sources = try streams.map { try WatchSource($0) }
        try checkPresence(sources)
        try StreamIdentities.check(streams)
        if let output {
            guard output == "-" else {
                throw ValidationError("--output takes - only. Redirect standard output: --output - > FILE.y4m")
            }
            guard sources.count == 1, sources[0].isLive, format == .table else {
                throw ValidationError(
                    "--output - is for one stream from standard input or another live source, and for the table format."
                )
            }
            guard pixelFormat ?? .i420 == .i420 else {
                throw ValidationError("--output - writes Y4M, which takes frames in the format i420.")
            }
        }
        guard pixelFormat == nil || raw != nil else {
            throw ValidationError("--pixel-format is for raw frames; give their size and rate with --raw.")
        }
        if let delay {
            guard (0...2).contains(delay) else { throw ValidationError("--delay is from 0 to 2 seconds.") }
            guard output != nil else {
                throw ValidationError("--delay is for --output -; without it no frames leave the command.")
            }
        }
        guard raw == nil || streams.contains("-") else {
            throw ValidationError("--raw is for standard input (-).")
        }
        if let raw, rawFormat(raw) == nil {
            throw ValidationError("--raw has the form 640x360@30, and not \(TerminalText.printable(raw)).")
        }
        if let size {
            guard wish(size) != nil else {
                throw ValidationError("--size has the form 1280x720@30, and not \(TerminalText.printable(size)).")
            }
            guard sources.contains(where: { if case .device = $0 { true } else { false } }) else {
                throw ValidationError("--size is for a capture device, such as /dev/video0.")
            }
        }
        if sdp != nil, !sources.contains(where: { if case .datagrams = $0 { true } else { false } }) {
            throw ValidationError("--sdp is for datagrams: sca watch --output - --sdp FILE udp://127.0.0.1:PORT")
        }
        guard sdp == nil || output != nil else {
            throw ValidationError("--sdp needs --output -, because another player may lose other datagrams.")
        }
        try ArgumentCheck.checkThreshold(threshold)
        do throws(AnalysisFailure) {
            try limits.limits.validate()
            if let wish = size.flatMap(wish) { try wish.check() }
            if let raw, let format = rawFormat(raw) { try format.check() }
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// - Throws: `ValidationError` for a device that is missing, and for a missing source with options of live sources.
    private func checkPresence(_ sources: [WatchSource]) throws {
        for case .file(let path) in sources where path.hasPrefix("/dev/") || output != nil || size != nil {
            guard !ArgumentCheck.isFile(path) else { continue }
            throw ValidationError(
                "There is no \(TerminalText.printable(path)). Check the path; 'ls /dev/video*' lists cameras.")
        }
    }

    package func run() async throws {
        try checkOutput()
        if streams.contains("-"), isatty(STDIN_FILENO) == 1 {
            throw CommandFailure.usage(
                "Standard input is a terminal, and no stream. Pipe one:"
                    + " ffmpeg -v error -nostdin -i ADDRESS -c copy -f mpegts - | sca watch -")
        }
        if output != nil, isatty(STDOUT_FILENO) == 1 {
            throw CommandFailure.usage(
                "--output - writes frames, and standard output is a terminal. Pipe or redirect it.")
        }
        if let exec, !Self.isProgram(exec) {
            throw CommandFailure.usage("--exec needs the path of a program that may be started, such as ./alert.")
        }
        let authority = await AnalysisAuthority.current(
            demand: policy == .simple ? .simple : .descriptive, threshold: threshold, isPersonsThreshold: true)
        authority.tellOfThreshold()
        let hook = exec.map { WatchHook(path: $0) }
        let display = WatchDisplay(
            streams, output != nil ? .tableOnStandardError : format == .jsonl ? .jsonl : .table,
            policy: authority.policy, hook: hook)
        let run = WatchRun(
            WatchRun.Settings(
                authority: authority, engine: authority.engine(modelName: model, decoders: limits.decoders),
                limits: limits.limits, raw: raw.flatMap(rawFormat), sessionDescription: try readDescription(),
                wish: size.flatMap(wish) ?? CaptureWish(), gateDelay: output == nil ? nil : .seconds(delay ?? 0.25)),
            display: display)
        let drawing = Task { await display.keepDrawing() }
        await run.watch(try streams.map { try WatchSource($0) })
        drawing.cancel()
        await drawing.value
        display.finish()
        await hook?.finish()
        // A caller who relies on the program must notice that it did not run, whatever was found.
        throw ExitCode(hook?.hasFailed == true ? 74 : display.exitCode)
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// - Throws: `CommandFailure` with 64 if standard output goes into one of the streams.
    private func checkOutput() throws {
        let outputs = OutputOpener(inputs: streams, replacesFiles: false, standardOutputUser: "the results")
        try outputs.checkStandardOutput()
        guard streams.contains("-"), let input = FileIdentity(regularFile: STDIN_FILENO),
            input == FileIdentity(regularFile: STDOUT_FILENO)
        else { return }
        throw CommandFailure.usage("Standard output goes into the file of standard input. Name another file.")
    }

    /// - Throws: `CommandFailure` with 64 if the file cannot be read, or is no short text.
    private func readDescription() throws -> [UInt8]? {
        guard let sdp else { return nil }
        do throws(AnalysisFailure) {
            let file = try OwnedDescriptor.openRegularFile(at: sdp)
            let bytes = try InputBytes.next(of: file.number, exactly: StreamFormat.longestDescription + 1)
            guard bytes.count <= StreamFormat.longestDescription else {
                throw AnalysisFailure(.limitExceeded, "it has more than \(StreamFormat.longestDescription) bytes.")
            }
            guard bytes.starts(with: Array("v=0".utf8)) else {
                throw AnalysisFailure(
                    .unsupportedMedia, "it does not begin with v=0. ffmpeg writes one with -sdp_file FILE.")
            }
            return bytes
        } catch {
            throw CommandFailure.usage("The session description cannot be read: \(error.message)")
        }
    }

    private func wish(_ text: String) -> CaptureWish? {
        rawFormat(text).map {
            CaptureWish(width: $0.width, height: $0.height, rate: 1 / ($0.interval / .seconds(1)))
        }
    }

    /// Reads a size and a rate such as 30, 29.97 or 30000/1001; nil for another form.
    private func rawFormat(_ text: String) -> FrameFormat? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let size = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, size.count == 2, let width = size[0], let height = size[1]
        else { return nil }
        let ratio = parts[1].split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        guard 1...2 ~= ratio.count, let frames = ratio[0], let seconds = ratio.count == 2 ? ratio[1] : 1,
            case let rate = frames / seconds, (1...1000).contains(rate)
        else { return nil }
        return FrameFormat(
            width: width, height: height, pixelFormat: (pixelFormat ?? .i420).ofCore, interval: .seconds(1 / rate))
    }
}
