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

    /// Whether a player would stretch the frames so much that they would have to be judged in that shape.
    private static func isFarFromSquare(_ aspect: Substring) -> Bool {
        let parts = aspect.split(separator: ":").compactMap { Double($0) }
        // 0:0 is an unknown shape.
        guard parts.count == 2, parts != [0, 0] else { return false }
        return !(0.5...2).contains(parts[0] / parts[1])
    }

    /// Reads the header without its line break.
    ///
    /// - Throws: `AnalysisFailure` with the remedy.
    static func format(_ line: String) throws(AnalysisFailure) -> FrameFormat {
        let fields = line.split(separator: " ")
        guard fields.first == signature[...] else {
            throw AnalysisFailure(.malformedMedia, "The header of the Y4M stream does not begin with \(signature).")
        }
        var format = FrameFormat(width: 0, height: 0, pixelFormat: .i420Video)
        for field in fields.dropFirst() {
            let value = field.dropFirst()
            switch field.first {
            case "W": format.width = Int(value) ?? 0
            case "H": format.height = Int(value) ?? 0
            case "F":
                guard let interval = interval(value) else { break }
                (format.interval, format.fields.rate) = (interval, String(value))
            case "I": if ["t", "b", "m"].contains(value) { throw interlaced }
            case "A": if isFarFromSquare(value) { throw farFromSquare }
            case "C":
                format.fields.colors = String(value)
                guard ["420", "420jpeg", "420mpeg2", "420paldv"].contains(value) else {
                    throw AnalysisFailure(
                        .unsupportedMedia,
                        "The colours of the Y4M stream are \(TerminalText.printable(String(value.prefix(20)))), and only 8-bit"
                            + " 4:2:0 is read. Convert them with ffmpeg's option -pix_fmt yuv420p.")
                }
            case "X": if value == "COLORRANGE=FULL" { format.pixelFormat = .i420Full }
            default: break
            }
        }
        guard format.width > 0, format.height > 0 else {
            throw AnalysisFailure(
                .malformedMedia, "The header of the Y4M stream lacks the width (W) or the height (H) of the frames.")
        }
        try format.check()
        return format
    }

    /// Returns the time between frames for a rate such as "30000:1001"; nil for an unknown rate.
    private static func interval(_ rate: Substring) -> Duration? {
        // The gate writes the rate as it came, so it must be nothing but two short numbers.
        let parts = rate.split(separator: ":", omittingEmptySubsequences: false)
        let areNumbers = parts.allSatisfy { part in
            1...9 ~= part.count && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        }
        guard areNumbers, parts.count == 2, let frames = Double(parts[0]), let seconds = Double(parts[1]), frames > 0
        else { return nil }
        return (1e-3...60).contains(seconds / frames) ? .seconds(seconds / frames) : nil
    }

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
            guard line == "FRAME" || line.hasPrefix("FRAME ") else {
                throw AnalysisFailure(.malformedMedia, "The Y4M stream is damaged: a frame does not begin with FRAME.")
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
