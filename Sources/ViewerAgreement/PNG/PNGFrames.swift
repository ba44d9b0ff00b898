// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The frames of an animated PNG file, each of which can be read as a PNG file of its own.
///
/// Source: PNG specification, third edition, sections 11.3.6 and 13.10.
package struct PNGFrames {
    package private(set) var frames: [Frame] = []
    /// How often the animation is shown; 0 means without end.
    package private(set) var playCount = 0
    /// The content of the header chunk, 13 bytes.
    private var header: [UInt8] = []
    /// The chunks with a palette and with transparent colours.
    private var palette: [UInt8] = []
    private var transparency: [UInt8] = []
    /// The picture for programs without animations, which is no frame; nil if there is none.
    package private(set) var otherPicture: Frame?

    package struct Frame {
        package let x, y, width, height: Int
        /// The time for which the frame is shown, in milliseconds.
        package let delay: Int
        package let disposal: Disposal
        /// Whether the frame is drawn over the picture; otherwise it replaces the part that it covers.
        package let isDrawnOver: Bool
        /// The places of the compressed pixels in the file.
        fileprivate(set) var data: [Range<Int>] = []
    }

    /// The treatment of a frame before the next one is drawn.
    package enum Disposal: UInt8 {
        case none, clears, bringsBack
    }

    /// - Parameter display: the program that draws frames with opacity over others.
    /// - Throws: `malformed`, `unreadable`, `tooManyPictures`.
    package init(
        _ file: InputFile, mostFrames: Int, displayedBy display: Display = .otherViewer
    ) throws(DecodingFailure) {
        var position = 8
        for _ in 0..<Self.mostChunks {
            let start = try file.bytes(at: position, count: 8)
            guard let length: UInt32 = start.bigEndian(at: 0), start.count == 8 else {
                throw broken("it ends in the midst of its pictures")
            }
            let content = (position + 8)..<(position + 8 + Int(length))
            try Self.checkSum(of: String(decoding: start[4...], as: UTF8.self), content, in: file)
            switch String(decoding: start[4...], as: UTF8.self) {
            case "IHDR":
                guard position == 8 else { throw broken("a second header") }
                header = try file.bytes(at: content.lowerBound, count: min(content.count, 13))
            case "PLTE": palette = try file.bytes(at: position, count: content.count + 12)
            case "tRNS": transparency = try file.bytes(at: position, count: content.count + 12)
            case "acTL":
                playCount = try Int(
                    file.bytes(at: content.lowerBound + 4, count: 4).bigEndian(at: 0, as: UInt32.self) ?? 0)
            case "fcTL":
                guard frames.count < mostFrames else {
                    throw DecodingFailure(
                        .tooManyPictures, format: .png, value: UInt64(frames.count + 1), bound: UInt64(mostFrames))
                }
                frames.append(try frame(try file.bytes(at: content.lowerBound, count: min(content.count, 26))))
            // Without a frame before it, the picture is none of the animation.
            case "IDAT":
                if frames.count == 1 {
                    frames[0].data.append(content)
                } else {
                    otherPicture =
                        otherPicture
                        ?? Frame(
                            x: 0, y: 0, width: width, height: height, delay: 0, disposal: .none, isDrawnOver: false)
                    otherPicture?.data.append(content)
                }
            case "fdAT":
                guard content.count >= 4, !frames.isEmpty else { throw broken("data of no frame") }
                frames[frames.count - 1].data.append(content.dropFirst(4))
            case "IEND":
                guard !frames.isEmpty, frames.allSatisfy({ !$0.data.isEmpty }) else {
                    throw broken("a frame is missing")
                }
                if display == .otherViewer { try checkOpacity() }
                return
            default: break
            }
            position = content.upperBound + 4
        }
        throw broken("too many chunks")
    }

    /// Checks the checksum of a chunk that is shown; some programs ignore it, and others leave the chunk out.
    private static func checkSum(
        of name: String, _ content: Range<Int>, in file: InputFile
    ) throws(DecodingFailure) {
        guard ["IHDR", "PLTE", "tRNS", "acTL", "fcTL", "IDAT", "fdAT"].contains(name) else { return }
        let bytes = try file.bytes(at: content.lowerBound - 4, count: content.count + 8)
        guard bytes.count == content.count + 8,
            bytes.bigEndian(at: content.count + 4, as: UInt32.self)
                == PNGChunks.checksum(of: Array(bytes.prefix(content.count + 4)))
        else { throw DecodingFailure(.damagedChunk(name), .png) }
    }

    /// Checks that Pillow's way of drawing frames over others can be followed.
    ///
    /// Pillow mixes the numbers of a palette, and keeps a level of grey transparent.
    private func checkOpacity() throws(DecodingFailure) {
        guard hasOpacity, frames.contains(where: \.isDrawnOver) else { return }
        let isTranslucent = colourType == 3 && transparency.dropFirst(8).dropLast(4).contains { (1...254).contains($0) }
        guard !isTranslucent, colourType != 0 else {
            throw DecodingFailure(.framesWithOpacity, .png)
        }
    }

    /// Whether a frame is drawn over others with opacity, or brings them back, so Pillow shows another picture.
    ///
    /// Pillow also draws over the picture for other programs.
    package var hasOtherDrawing: Bool {
        frames.contains { $0.disposal == .bringsBack }
            || (hasOpacity && frames.contains(where: \.isDrawnOver)) || otherPicture != nil
    }

    private var colourType: UInt8 { header.count > 9 ? header[9] : 0 }
    private var hasOpacity: Bool { colourType > 3 || !transparency.isEmpty }

    package var width: Int { Int(header.bigEndian(at: 0, as: UInt32.self) ?? 0) }
    package var height: Int { Int(header.bigEndian(at: 4, as: UInt32.self) ?? 0) }

    private func frame(_ control: [UInt8]) throws(DecodingFailure) -> Frame {
        func number(_ offset: Int) -> Int { Int(control.bigEndian(at: offset, as: UInt32.self) ?? 0) }
        func short(_ offset: Int) -> Int { Int(control.bigEndian(at: offset, as: UInt16.self) ?? 0) }
        guard control.count == 26, header.count == 13, let disposal = Disposal(rawValue: control[24]),
            control[25] <= 1
        else { throw broken("the header of a frame is broken") }
        let frame = Frame(
            x: number(12), y: number(16), width: number(4), height: number(8),
            delay: short(20) * 1000 / (short(22) == 0 ? 100 : short(22)), disposal: disposal,
            isDrawnOver: control[25] == 1)
        guard frame.width > 0, frame.height > 0, frame.x + frame.width <= width, frame.y + frame.height <= height else {
            throw broken("a frame lies outside of the picture")
        }
        return frame
    }

    /// Returns a PNG file with the pixels of one frame, without what it says of its colours.
    package func document(of frame: Frame, in file: InputFile) throws(DecodingFailure) -> [UInt8] {
        var header = header
        for (offset, value) in [(0, frame.width), (4, frame.height)] {
            for index in 0..<4 { header[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
        }
        var data: [UInt8] = []
        for part in frame.data {
            let bytes = try file.bytes(at: part.lowerBound, count: part.count)
            guard bytes.count == part.count else { throw broken("it ends in the midst of its pictures") }
            data += bytes
        }
        return Self.signature + Self.chunk("IHDR", header) + palette + transparency + Self.chunk("IDAT", data)
            + Self.chunk("IEND", [])
    }

    private static func chunk(_ name: StaticString, _ content: [UInt8]) -> [UInt8] {
        let named = unsafe Array(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) + content
        return bigEndian(UInt32(content.count)) + named + bigEndian(PNGChunks.checksum(of: named))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The bound of `PNGChunks`.
    private static let mostChunks = 1_000_000
}

/// Returns the failure of a file that is no animation.
private func broken(_ detail: String) -> DecodingFailure {
    DecodingFailure(.malformed, format: .png, detail: detail)
}
