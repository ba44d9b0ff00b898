// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import Foundation
internal import Glibc

/// The format of frames without compression that come from standard input.
struct FrameFormat: Sendable, Equatable {
    var width: Int
    var height: Int
    var pixelFormat: VideoPixelFormat
    /// The time between two frames, which frames are not read faster than.
    var interval = Duration.microseconds(33_333)
    /// The parts of a Y4M header that frames keep on their way through the gate.
    var fields = Y4MHeader.Fields()

    /// The number of bytes of a frame.
    var byteCount: Int { pixelFormat.byteCount(width: width, height: height) }

    /// Returns the description of a frame over its bytes.
    func pixels(_ storage: any PixelStorage) -> VideoPixels? {
        VideoPixels(packed: storage, format: pixelFormat, width: width, height: height)
    }

    /// - Throws: `AnalysisFailure` if frames cannot have the size.
    func check() throws(AnalysisFailure) {
        guard width > 0, height > 0 else {
            throw AnalysisFailure(
                .unsupportedMedia, "A frame has \(width) × \(height) pixels, and needs one in each direction.")
        }
        guard max(width, height) <= VideoPixels.maximumEdge, width * height <= Self.maximumPixelCount else {
            throw AnalysisFailure(
                .limitExceeded,
                "A frame has \(width) × \(height) pixels; the limits are an edge of \(VideoPixels.maximumEdge) and"
                    + " \(Self.maximumPixelCount) pixels. Scale the video down first.")
        }
    }

    /// The largest frame, in pixels: more than 8K.
    static let maximumPixelCount = 40_000_000
}

/// The header of a Y4M stream.
///
/// Source: the page about YUV4MPEG2 of the MultimediaWiki, and FFmpeg's option -strict for the formats.
enum Y4MHeader {
    /// The longest header, in bytes.
    static let maximumLength = 1024

    /// The first word of a stream.
    static let signature = "YUV4MPEG2"

    /// The parts of a header that frames keep.
    ///
    /// The shape of pixels and the interlacing are not among them. A player would show something else than was judged.
    struct Fields: Sendable, Equatable {
        var rate: String?
        var colors = "420jpeg"
    }

    /// Whether a regular file begins as a Y4M stream does.
    static func isBeginning(ofFile path: String) -> Bool {
        guard let descriptor = try? OwnedDescriptor.openRegularFile(at: path) else { return false }
        let file = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
        return withExtendedLifetime(descriptor) {
            (try? file.read(upToCount: signature.utf8.count)) == Data(signature.utf8)
        }
    }

    private static let interlaced = AnalysisFailure(
        .unsupportedMedia,
        "The frames are interlaced, and a player may show their fields apart. Join them first, for example with ffmpeg's"
            + " options: -vf bwdif,setfield=prog")

    private static let farFromSquare = AnalysisFailure(
        .unsupportedMedia,
        "The pixels are far from square, and frames are judged with square pixels. Scale them first, for example with"
            + " ffmpeg's options: -vf scale=iw*sar:ih,setsar=1")

    /// Reads the header without its line break.
    ///
    /// Only words that every reader takes in the same way are read, each once: FFmpeg goes on reading within a word that
    /// it does not know, and would find another size there.
    ///
    /// - Throws: `AnalysisFailure` with the remedy.
    static func format(_ line: String) throws(AnalysisFailure) -> FrameFormat {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.first == signature[...] else {
            throw AnalysisFailure(.malformedMedia, "The header of the Y4M stream does not begin with \(signature).")
        }
        var format = FrameFormat(width: 0, height: 0, pixelFormat: .i420Video, interval: unknownInterval)
        format.fields.rate = unknownRate
        var kinds: Set<Substring> = []
        for word in words.dropFirst() {
            let kind = word.first == "X" ? word.prefix { $0 != "=" } : word.prefix(1)
            guard kinds.insert(kind).inserted else { throw unknownWord(word) }
            try read(word, kind, into: &format)
        }
        guard format.width > 0, format.height > 0 else {
            throw AnalysisFailure(
                .malformedMedia, "The header of the Y4M stream lacks the width (W) or the height (H) of the frames.")
        }
        try format.check()
        return format
    }

    private static func read(
        _ word: Substring, _ kind: Substring, into format: inout FrameFormat
    ) throws(AnalysisFailure) {
        let value = word.dropFirst()
        switch kind {
        case "W": format.width = try number(value, in: word)
        case "H": format.height = try number(value, in: word)
        case "F":
            let (frames, seconds) = try ratio(value, in: word)
            guard frames > 0, seconds > 0 else { break }
            let interval = Double(seconds) / Double(frames)
            guard (1e-3...60).contains(interval) else { throw unusualRate(value) }
            (format.interval, format.fields.rate) = (.seconds(interval), String(value))
        case "I":
            if ["t", "b", "m"].contains(value) { throw interlaced }
            guard ["p", "?"].contains(value) else { throw unknownWord(word) }
        case "A":
            let (width, height) = try ratio(value, in: word)
            // 0:0 is an unknown shape.
            guard (width, height) == (0, 0) || (0.5...2).contains(Double(width) / Double(height)) else {
                throw farFromSquare
            }
        case "C":
            format.fields.colors = String(value)
            guard ["420", "420jpeg", "420mpeg2", "420paldv"].contains(value) else { throw otherColors(value) }
        case "XYSCSS":
            guard ["XYSCSS=420JPEG", "XYSCSS=420MPEG2", "XYSCSS=420PALDV", "XYSCSS=420"].contains(word) else {
                throw otherColors(value)
            }
        case "XCOLORRANGE":
            guard ["XCOLORRANGE=FULL", "XCOLORRANGE=LIMITED"].contains(word) else { throw unknownWord(word) }
            if word.hasSuffix("FULL") { format.pixelFormat = .i420Full }
        default: throw unknownWord(word)
        }
    }

    /// Reads digits alone: other readers take signs and spaces in different ways.
    private static func number(_ text: Substring, in word: Substring) throws(AnalysisFailure) -> Int {
        guard 1...9 ~= text.utf8.count, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Int(text)
        else { throw unknownWord(word) }
        return number
    }

    private static func ratio(_ text: Substring, in word: Substring) throws(AnalysisFailure) -> (Int, Int) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw unknownWord(word) }
        return (try number(parts[0], in: word), try number(parts[1], in: word))
    }

    private static func unknownWord(_ word: Substring) -> AnalysisFailure {
        AnalysisFailure(
            .unsupportedMedia,
            "The header of the Y4M stream has the word \(TerminalText.printable(String(word.prefix(20)))), which players"
                + " may read in different ways. Write the stream with FFmpeg or GStreamer.")
    }

    private static func otherColors(_ value: Substring) -> AnalysisFailure {
        AnalysisFailure(
            .unsupportedMedia,
            "The colours of the Y4M stream are \(TerminalText.printable(String(value.prefix(20)))), and only 8-bit"
                + " 4:2:0 is read. Convert them with ffmpeg's option -pix_fmt yuv420p.")
    }

    private static func unusualRate(_ value: Substring) -> AnalysisFailure {
        AnalysisFailure(
            .unsupportedMedia,
            "The rate of the Y4M stream is \(TerminalText.printable(String(value.prefix(20)))) frames a second, and 1:60"
                + " to 1000:1 is read. Set another one with ffmpeg's option -r.")
    }

    /// The rate of a stream without one, which is that of FFmpeg.
    private static let unknownRate = "25:1"
    private static let unknownInterval = Duration.milliseconds(40)

    /// Returns the rate of a format, as a header states it.
    static func rate(of format: FrameFormat) -> String {
        format.fields.rate ?? "1000000:\(Int(format.interval / .microseconds(1)))"
    }

    /// Returns the header of a stream of frames with this format.
    static func text(_ format: FrameFormat) -> String {
        "\(signature) W\(format.width) H\(format.height) F\(rate(of: format)) Ip A1:1"
            + " C\(format.fields.colors)\(format.pixelFormat.isFullRange ? " XCOLORRANGE=FULL" : "")\n"
    }
}

/// Reads frames from a descriptor, on a thread that may block.
struct FrameReader {
    private let descriptor: Int32
    let format: FrameFormat
    private let isY4M: Bool

    /// - Parameters:
    ///   - raw: the format of frames without headers; nil for a Y4M stream, whose header is read.
    ///   - beginning: the bytes of the header that were already read.
    /// - Throws: `AnalysisFailure` if the stream has another format, or cannot be read.
    init(_ descriptor: Int32, raw: FrameFormat?, beginning: [UInt8] = []) throws(AnalysisFailure) {
        self.descriptor = descriptor
        isY4M = raw == nil
        if let raw {
            try raw.check()
            format = raw
            return
        }
        guard let line = try Self.line(descriptor, Y4MHeader.maximumLength) else {
            throw AnalysisFailure(.unsupportedMedia, "The stream is empty. Check the program that writes it.")
        }
        format = try Y4MHeader.format(String(decoding: beginning, as: UTF8.self) + line)
    }

    /// Returns the bytes of the next frame; nil at the end of the stream.
    ///
    /// - Throws: `malformedMedia` if the stream ends within a frame or has something else between frames.
    func next() throws(AnalysisFailure) -> [UInt8]? {
        if isY4M {
            guard let line = try Self.line(descriptor, Y4MHeader.maximumLength) else { return nil }
            // Parameters of a frame may change what other readers make of it.
            guard line == "FRAME" else {
                throw AnalysisFailure(
                    .malformedMedia, "The Y4M stream is damaged: a frame does not begin with FRAME alone.")
            }
        }
        var bytes = [UInt8](repeating: 0, count: format.byteCount)
        let count = try Self.read(descriptor, into: &bytes)
        if count == 0, !isY4M { return nil }
        guard count == bytes.count else {
            throw AnalysisFailure(
                .malformedMedia,
                "The stream ended within a frame, after \(count) of \(bytes.count) bytes."
                    + (isY4M
                        ? " Check the program that writes it."
                        : " Check that --raw and --pixel-format are what the program writes."))
        }
        return bytes
    }

    /// Returns this number of bytes, or fewer at the end of the stream.
    static func bytes(of descriptor: Int32, exactly count: Int) throws(AnalysisFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try read(descriptor, into: &bytes)
        return Array(bytes.prefix(got))
    }

    /// Returns the next bytes as soon as there are some; none at the end of the stream.
    static func bytes(of descriptor: Int32) throws(AnalysisFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let got = try read(descriptor, into: &bytes, isFilled: false)
        return Array(bytes.prefix(got))
    }

    /// Reads a line byte by byte, because what follows belongs to the frame; nil at the end of the stream.
    private static func line(_ descriptor: Int32, _ most: Int) throws(AnalysisFailure) -> String? {
        var line: [UInt8] = []
        while line.count <= most {
            var byte: [UInt8] = [0]
            guard try read(descriptor, into: &byte) == 1 else {
                if line.isEmpty { return nil }
                break
            }
            if byte[0] == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte[0])
        }
        throw AnalysisFailure(.malformedMedia, "The stream has a header that does not end within \(most) bytes.")
    }

    /// Reads until the buffer is full or the stream ends.
    ///
    /// - Parameter isFilled: whether to go on until the buffer is full; otherwise any number of bytes is enough.
    private static func read(
        _ descriptor: Int32, into bytes: inout [UInt8], isFilled: Bool = true
    ) throws(AnalysisFailure) -> Int {
        var count = 0
        while count < bytes.count {
            let added = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress! + count, buffer.count - count)
            }
            if added == 0 { return count }
            if added > 0 {
                count += added
                if !isFilled { return count }
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&ready, 1, -1)
            case let number:
                throw AnalysisFailure(.inputUnreadable, "The stream cannot be read (error \(number) of the system).")
            }
        }
        return count
    }
}
