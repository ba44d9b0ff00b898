// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A request of the host to the encoder of judged pictures.
package enum EncoderRequest: HelperRequest {
    case hello
    /// Makes the encoder encode pixels; the attached descriptor is their sealed memory.
    case encode(PixelLayout, PictureEncoding)
    /// Begins an animation or a video of frames of this size, and gives up an unfinished one.
    case beginSequence(SequenceEncoding, width: UInt32, height: UInt32)
    /// Adds a frame; the attached descriptor is the sealed memory of its pixels.
    case addFrame(PixelLayout, TimeSpan)
    /// Ends the sequence; the reply is the length of its file.
    case finishSequence
    /// Makes the encoder write the encoded file; the attached descriptor is memory of exactly its size.
    case writeEncoded

    package func encoded(as serial: UInt64) -> [UInt8] {
        switch self {
        case .hello: Self.encodedHello(serial)
        case .encode(let layout, let encoding):
            MessageHeader.message(22, serial) { writer in
                layout.write(to: &writer)
                encoding.write(to: &writer)
            }
        case .writeEncoded: MessageHeader.message(23, serial)
        case .beginSequence(let encoding, let width, let height):
            MessageHeader.message(26, serial) { writer in
                encoding.write(to: &writer)
                writer.write(width)
                writer.write(height)
            }
        case .addFrame(let layout, let shown):
            MessageHeader.message(27, serial) { writer in
                layout.write(to: &writer)
                shown.write(to: &writer)
            }
        case .finishSequence: MessageHeader.message(28, serial)
        }
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader(from: &reader).kind {
        case 1: self = try Self.hello(from: &reader)
        case 22: self = .encode(try PixelLayout(from: &reader), try PictureEncoding(from: &reader))
        case 23: self = .writeEncoded
        case 26:
            self = .beginSequence(
                try SequenceEncoding(from: &reader), width: try reader.read(), height: try reader.read())
        case 27: self = .addFrame(try PixelLayout(from: &reader), try TimeSpan(from: &reader))
        case 28: self = .finishSequence
        default: throw .unknownKind
        }
        try reader.finish()
    }
}

extension PictureEncoding {
    func write(to writer: inout ByteWriter) {
        writer.write(format.rawValue)
        writer.write(UInt8(clamping: quality))
        background.write(to: &writer)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        guard let format = Format(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.init(
            format: format, quality: try reader.readQuality(), background: try Background(from: &reader))
    }
}

extension SequenceEncoding {
    func write(to writer: inout ByteWriter) {
        writer.write(format.rawValue)
        writer.write(UInt8(clamping: quality))
        background.write(to: &writer)
        writer.write(UInt32(clamping: loopCount))
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        guard let format = Format(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.init(
            format: format, quality: try reader.readQuality(),
            background: try PictureEncoding.Background(from: &reader), loopCount: Int(try reader.read(UInt32.self)))
    }
}

extension PictureEncoding.Background {
    fileprivate func write(to writer: inout ByteWriter) {
        for level in [red, green, blue] { writer.write(level) }
    }

    fileprivate init(from reader: inout ByteReader) throws(MessageError) {
        self.init(red: try reader.read(), green: try reader.read(), blue: try reader.read())
    }
}

extension ByteReader {
    fileprivate mutating func readQuality() throws(MessageError) -> Int {
        let quality = Int(try read(UInt8.self))
        guard PictureEncoding.qualities.contains(quality) else { throw .valueOutOfRange }
        return quality
    }
}
