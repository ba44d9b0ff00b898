// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import FileAccess
internal import Glibc
internal import HelperHost
internal import HelperProtocol
internal import Synchronization

package struct CopyCommand: AsyncParsableCommand, CommandWithNames {
    package static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Write a copy of a picture or a video that shows exactly what was judged.",
        discussion: """
            The media is decoded in the sandbox, judged, and encoded anew by a process that never sees the file. No \
            metadata, no thumbnail and no second picture come along:

              sca copy -- upload.heic clean.png              a copy without loss
              sca copy --max-size 1600 -- upload.heic a.jpg  a smaller one
              sca copy -- sticker.gif clean.webp             an animation
              sca copy --max-size 1280 -- upload.mov a.mp4   a video, without sound
              sca copy --remux -- upload.mov a.mp4           the same frames and the sound
              sca copy --cover -- upload.jpg a.webp          a cover in place of sensitive media

            As PNG and JPEG, the first or the primary picture is copied. Every frame of an animation or a video is \
            judged, or looks the same as a judged one. With --remux, the encoded frames and the sound of a video are put \
            into a new MP4 or Matroska file (.mkv) without loss. Players then decode the sender's own data. Sensitive \
            media is not written, unless --cover asks for a \
            placeholder of coarse squares.

            Exit codes: 0 the copy was written and is not sensitive, 1 the media is sensitive, 2 it could not be \
            judged, 64 wrong usage or the copy exists, 69 the model cannot be used, 74 the copy cannot be written, 130 \
            interrupted. After 1 there is no copy, or a cover; after 2 there is none.
            """)

    @Argument(
        help: ArgumentHelp("The picture or video; - for standard input.", valueName: "media"), completion: .file())
    var input: String

    @Argument(
        help: ArgumentHelp("The new file; - for standard output.", valueName: "copy"), completion: .file())
    var output: String

    @Option(help: "The format of the copy; by the name of the copy unless given.")
    var format: CopyEncoding.Format?

    @Option(help: ArgumentHelp("The quality of JPEG, WebP and MP4, 1 to 100.", valueName: "quality"))
    var quality = 90

    @Option(help: ArgumentHelp("The longest edge of the copy, in pixels.", valueName: "pixels"))
    var maxSize: Int?

    @Option(
        help: ArgumentHelp(
            "The colour behind transparent pixels in JPEG and MP4, as six hexadecimal digits.", valueName: "rrggbb"))
    var background = "ffffff"

    @Flag(help: "Copy the encoded frames of a video, and its first sound track, without encoding.")
    var remux = false

    @Flag(name: .customLong("no-sound"), help: "With --remux: leave the sound out.")
    var leavesSoundOut = false

    @Flag(help: "Write a cover of coarse squares in place of sensitive media.")
    var cover = false

    @Option(help: "The strictness: simple is for adults, descriptive for children.")
    var policy = AnalyzeCommand.PolicyArgument.simple

    @Option(
        help: ArgumentHelp("The model to use; 'sca model list' shows what there is.", valueName: "name"),
        completion: .installedModels)
    var model: String?

    @Flag(help: "Replace the copy if it exists.")
    var force = false

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    package init() {}

    package func validate() throws {
        do {
            try limits.limits.validate()
        } catch {
            throw ValidationError(error.message)
        }
        guard PictureEncoding.qualities.contains(quality) else { throw ValidationError("--quality is from 1 to 100.") }
        guard maxSize.map({ $0 > 0 }) ?? true else { throw ValidationError("--max-size is at least 1.") }
        guard backgroundColour != nil else {
            throw ValidationError("--background is six hexadecimal digits, such as ffffff for white.")
        }
        guard remux || !leavesSoundOut else {
            throw ValidationError("--no-sound is for --remux; other copies have no sound.")
        }
        guard !remux || !cover && maxSize == nil && format == nil && quality == 90 && background == "ffffff" else {
            throw ValidationError(
                "--remux encodes nothing, so it cannot be used with --background, --cover, --format, --max-size or --quality."
            )
        }
        try ArgumentCheck.checkStandardInput(among: [input])
    }

    private var backgroundColour: PictureEncoding.Background? {
        guard background.utf8.count == 6, let number = UInt32(background, radix: 16) else { return nil }
        return PictureEncoding.Background(
            red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
    }

    package func run() async throws {
        let making = try makingOfCopy()
        let place = try copyPlace()
        if let status = foundInput.path.status(followingLinks: true), status.st_mode & S_IFMT == S_IFDIR {
            throw CommandFailure.usage(
                "\(TerminalText.printable(input)) is a folder. 'sca analyze -r --copy-to FOLDER' copies the files in one."
            )
        }
        let bar = ProgressBar()
        let copying = Task { try await copy(making, bar) }
        let isPlacing = Mutex(false)
        InterruptSignal.handle {
            // A copy that is being placed is a matter of milliseconds, and its verdict is known.
            guard !isPlacing.withLock({ $0 }) else { return }
            copying.cancel()
            bar.end()
            StandardError.write("Interrupted. No copy was written.\n")
            ProcessEnd.now(130)
        }
        let (outcome, bytes, isDamaged) = try await copying.value
        isPlacing.withLock { $0 = true }
        if let bytes { try write(bytes, to: place) }
        report(outcome, isWritten: bytes != nil, isDamaged: isDamaged)
        switch outcome.verdict {
        case .notSensitive: return
        case .sensitive: throw ExitCode(1)
        case .unknown, nil: throw ExitCode(2)
        }
    }

    private var foundInput: FoundInput {
        let path = InputPath.names([input, output])[0]
        return InputFinder(paths: [path], isRecursive: false).makeIterator(names: nil).next()
            ?? FoundInput(path: path, kind: .named)
    }

    /// The way in which the copy is made.
    private enum Making {
        case encoding(CopyEncoding)
        case remuxing(FilmContainer)
    }

    private func makingOfCopy() throws(CommandFailure) -> Making {
        guard !remux else {
            guard let container = output == "-" ? .mp4 : FilmContainer(fileName: output) else {
                throw .usage("With --remux, let the name of the copy end in .mp4, or in .mkv for Matroska.")
            }
            return .remuxing(container)
        }
        guard let format = format ?? CopyEncoding.Format(fileName: output), let colour = backgroundColour else {
            let remedy =
                FilmContainer(fileName: output) == .matroska
                ? "Matroska is for --remux. Let it end in .mp4, or add --remux."
                : "Let it end in .png, .jpg, .webp or .mp4, or choose a format with --format."
            throw .usage("The name of the copy tells no format that can be written. \(remedy)")
        }
        return .encoding(CopyEncoding(format: format, quality: quality, background: colour))
    }

    /// Returns the outcome for the picture, and the content of the copy if there is one.
    private func copy(_ making: Making, _ bar: ProgressBar) async throws -> (
        AnalysisOutcome, SealedMemory?, isDamaged: Bool
    ) {
        // A person who names a file demands its analysis, but cannot lower a parent's choice.
        let authority = await AnalysisAuthority.current(demand: policy == .simple ? .simple : .descriptive)
        authority.tellOfStricterPolicy(than: policy)
        try authority.requireModel(named: model)
        let engine = authority.engine(modelName: model, decoders: limits.decoders)
        let found = foundInput
        let path = found.path
        do {
            try found.requireFile()
            let makeInput: @Sendable () throws -> DecoderInput
            if path.isStandardInput {
                let memory = try await StandardInput.memory(atMost: limits.limits.maximumByteCount)
                makeInput = { .memory(memory) }
            } else {
                let descriptor = try JudgedFile(found).open()
                makeInput = { .open(descriptor) }
            }
            bar.update(found: 1, isComplete: true)
            bar.began(0, name: path.isStandardInput ? nil : TerminalText.printable(input))
            let drawing = Task { await bar.keepDrawing() }
            defer {
                drawing.cancel()
                bar.end()
            }
            let options = MediaOptions { bar.note($0, of: 0) }
            let request = authority.request(limits: limits.limits, options: options)
            switch making {
            case .encoding(let encoding):
                let copy = try await engine.judgedCopy(
                    request, maximumEdge: maxSize, encoding, sensitive: cover ? .cover : .refusal, makeInput
                ).get()
                return (AnalysisOutcome(input: found, finding: .analysis(copy.analysis)), copy.file, copy.isDamaged)
            case .remuxing(let container):
                let copy = try await engine.remuxedCopy(request, container, keepsSound: !leavesSoundOut, makeInput)
                    .get()
                return (AnalysisOutcome(input: found, finding: .analysis(copy.analysis)), copy.file, false)
            }
        } catch let failure as AnalysisFailure {
            guard failure.code != .modelUnavailable else {
                throw CommandFailure(
                    "The model cannot be used. \(authority.explained(failure).message)",
                    exitCode: CommandFailure.unavailableCode)
            }
            return (
                AnalysisOutcome(input: found, finding: .failure(authority.explained(failure, in: "sca copy"))), nil,
                false
            )
        }
    }

    /// Returns the place of the copy, after a check that it may be written; nil for standard output.
    private func copyPlace() throws(CommandFailure) -> OutputPlace? {
        let outputs = OutputOpener(inputs: [input], replacesFiles: force)
        try outputs.checkStandardOutput()
        guard output != "-" else { return nil }
        let place = try outputs.place(output, for: "the copy")
        try OutputFolder.requireWritable(place.folder, remedy: "Name a file in a folder that you may write to.")
        return place
    }

    private func write(_ bytes: SealedMemory, to place: OutputPlace?) throws(CommandFailure) {
        do {
            try unsafe bytes.withBytes { bytes in
                if let place { return unsafe try NewFile.write(bytes, to: place.path, replaces: force) }
                for start in stride(from: 0, to: bytes.count, by: Self.bytesAtOnce) {
                    unsafe StandardOutput.write([UInt8](bytes[start..<min(start + Self.bytesAtOnce, bytes.count)]))
                }
            }
        } catch {
            throw CommandFailure(
                "\(TerminalText.printable(output)) cannot be written. \((error as? AnalysisFailure)?.message ?? "\(error)")",
                exitCode: CommandFailure.outputCode)
        }
    }

    private static let bytesAtOnce = 1 << 20

    /// Prints the verdict, unless standard output has the copy.
    private func report(_ outcome: AnalysisOutcome, isWritten: Bool, isDamaged: Bool) {
        let place = output == "-" ? "on standard output" : TerminalText.printable(output)
        let note =
            switch (outcome.verdict, isWritten) {
            case (.notSensitive, _): "The copy is \(place)."
            case (_, true): "A cover is \(place)."
            default: "No copy was written."
            }
        let stream = output == "-" ? STDERR_FILENO : STDOUT_FILENO
        let isTerminal = isatty(stream) == 1
        let row = ResultRow(outcome, nil, showsStyles: isTerminal && TerminalText.showsStyles)
            .text(columns: isTerminal ? TerminalText.columns(of: stream) : nil)
        let text = "\(row)\n\(note)\(isDamaged ? " Parts of the picture are missing, since the file is damaged." : "")"
        if output == "-" { StandardError.write("\(text)\n") } else { StandardOutput.write(line: text) }
    }
}

extension CopyEncoding.Format: ExpressibleByArgument {
    /// The format that the ending of a name stands for; nil if it stands for none.
    init?(fileName: String) {
        switch fileName.split(separator: ".").last?.lowercased() {
        case "jpg": self = .jpeg
        case let ending?: self.init(rawValue: ending)
        case nil: return nil
        }
    }
}

extension FilmContainer {
    /// The container that the ending of a name stands for; nil if it stands for none.
    fileprivate init?(fileName: String) {
        switch fileName.split(separator: ".").last?.lowercased() {
        case "mp4": self = .mp4
        case "mkv": self = .matroska
        default: return nil
        }
    }
}
