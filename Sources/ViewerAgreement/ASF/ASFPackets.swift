// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Checks that the pieces in the packets of an ASF file join to frames in one way.
///
/// Source: Microsoft, "Advanced Systems Format (ASF) Specification", revision 01.20.06, section 5.2.
struct ASFPackets {
    /// A frame or a piece of sound of which some bytes have come.
    private struct MediaObject {
        let number: Int
        let byteCount: Int
        var filled: Int
    }

    private let streams: Set<UInt8>
    private var objects: [UInt8: MediaObject] = [:]

    /// - Parameter streams: the numbers of the streams.
    init(of streams: Set<UInt8>) { self.streams = streams }

    /// Reads the next packet, and returns whether its pieces continue the frames before them.
    mutating func add(_ packet: [UInt8]) -> Bool {
        guard packet.count > 8, packet[0] == 0x82, packet[1] == 0, packet[2] == 0 else { return false }
        let (flags, properties) = (packet[3], packet[4])
        // The number of a stream has one byte.
        guard flags & 0x80 == 0, properties >> 6 == 1 else { return false }
        var reader = Reader(packet, at: 5)
        let length = reader.number(of: flags >> 5) ?? 0
        _ = reader.number(of: flags >> 1)
        let padding = reader.number(of: flags >> 3) ?? 0
        // The time of sending, and a duration.
        reader.place += 6
        reader.end = (length == 0 ? packet.count : min(length, packet.count)) - padding
        guard reader.place <= reader.end else { return false }
        guard flags & 1 != 0 else { return addPiece(&reader, properties, sizeOfLength: nil) }
        guard let counter = reader.number(of: 1), counter & 0x3F > 0 else { return false }
        for _ in 0..<(counter & 0x3F) {
            guard addPiece(&reader, properties, sizeOfLength: UInt8(counter >> 6)) else { return false }
        }
        return reader.place <= reader.end
    }

    /// - Parameter sizeOfLength: the code of the size of a piece's length; nil if one piece fills the packet.
    private mutating func addPiece(_ reader: inout Reader, _ properties: UInt8, sizeOfLength: UInt8?) -> Bool {
        guard let first = reader.number(of: 1), let number = reader.number(of: properties >> 4),
            let offset = reader.number(of: properties >> 2), let headLength = reader.number(of: properties)
        else { return false }
        let stream = UInt8(first & 0x7F)
        guard streams.contains(stream), reader.place + headLength <= reader.end else { return false }
        let head = Array(reader.bytes[reader.place..<(reader.place + headLength)])
        reader.place += headLength
        var length = reader.end - reader.place
        if let sizeOfLength {
            guard let known = reader.number(of: sizeOfLength), known > 0 else { return false }
            length = known
        }
        guard length > 0, reader.place + length <= reader.end else { return false }
        defer { reader.place += length }
        if headLength == 1 { return addWhole(reader.bytes[reader.place..<(reader.place + length)], of: stream) }
        guard let byteCount: UInt32 = head.littleEndian(at: 0), headLength >= 8 else { return false }
        return add(length, of: stream, number: number, at: offset, of: Int(byteCount))
    }

    private mutating func add(
        _ length: Int, of stream: UInt8, number: Int, at offset: Int, of byteCount: Int
    ) -> Bool {
        if offset == 0 {
            if let known = objects[stream], known.filled < known.byteCount { return false }
            objects[stream] = MediaObject(number: number, byteCount: byteCount, filled: length)
        } else {
            guard let known = objects[stream], known.number == number, known.byteCount == byteCount,
                known.filled == offset
            else { return false }
            objects[stream]?.filled += length
        }
        return objects[stream].map { $0.filled <= $0.byteCount } ?? false
    }

    /// Reads several whole frames or pieces of sound, each behind its length of one byte.
    private mutating func addWhole(_ bytes: ArraySlice<UInt8>, of stream: UInt8) -> Bool {
        if let known = objects.removeValue(forKey: stream), known.filled < known.byteCount { return false }
        var place = bytes.startIndex
        while place < bytes.endIndex { place += 1 + Int(bytes[place]) }
        return place == bytes.endIndex
    }

    private struct Reader {
        let bytes: [UInt8]
        var place: Int
        var end: Int

        init(_ bytes: [UInt8], at place: Int) { (self.bytes, self.place, end) = (bytes, place, bytes.count) }

        /// Returns the next number, whose size of 0, 1, 2 or 4 bytes the two lowest bits of a code give; 0 without bytes.
        mutating func number(of code: UInt8) -> Int? {
            let size = [0, 1, 2, 4][Int(code & 3)]
            guard place + size <= end else { return nil }
            defer { place += size }
            return bytes[place..<(place + size)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
