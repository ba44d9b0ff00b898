// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A request of the host to the encoder of judged pictures.
package enum EncoderRequest: HelperRequest {
    case hello
    /// Makes the encoder encode pixels; the attached descriptor is their sealed memory.
    case encode(PixelLayout, PictureEncoding)
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
        }
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader(from: &reader).kind {
        case 1: self = try Self.hello(from: &reader)
        case 22: self = .encode(try PixelLayout(from: &reader), try PictureEncoding(from: &reader))
        case 23: self = .writeEncoded
        default: throw .unknownKind
        }
        try reader.finish()
    }
}

extension PictureEncoding {
    func write(to writer: inout ByteWriter) {
        writer.write(format.rawValue)
        for level in [UInt8(clamping: quality), background.red, background.green, background.blue] {
            writer.write(level)
        }
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        guard let format = Format(rawValue: try reader.read()) else { throw .valueOutOfRange }
        let quality = Int(try reader.read(UInt8.self))
        guard Self.qualities.contains(quality) else { throw .valueOutOfRange }
        let (red, green, blue) = (try reader.read(UInt8.self), try reader.read(UInt8.self), try reader.read(UInt8.self))
        self.init(
            format: format, quality: quality, background: Background(red: red, green: green, blue: blue))
    }
}
