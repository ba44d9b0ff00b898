// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds the packets in the bytes of a transport stream, also where some are missing.
///
/// Source: ISO/IEC 13818-1, section 2.4.3.
struct TransportPackets {
    private var rest: [UInt8] = []
    /// The distance of packets: 188 bytes, and more where each has a time or a code against errors with it.
    private var distance: Int?
    /// Where the first packet begins, and how far the next ones are from it.
    private var grid: (start: Int, distance: Int)?
    /// Where the bytes that are kept begin in the file.
    private var position = 0
    /// How many packets in a row have what could be another one in them, at the distance of the first packets.
    private var otherCount = 0
    /// Whether packets go on elsewhere than at the distance of the first ones, and others lie there.
    ///
    /// A player that seeks looks at that distance, and finds those.
    private(set) var hideOthers = false

    /// Calls the closure with each packet of 188 bytes that is complete.
    mutating func add(_ bytes: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        let bytes = rest.isEmpty ? bytes : rest + bytes
        var position = 0
        while position + Self.needed <= bytes.count {
            if let distance, bytes[position] == Self.sync {
                body(bytes[position..<(position + Self.length)])
                noteOther(in: bytes[position..<(position + distance)], at: self.position + position)
                position += distance
            } else if let found = Self.distances.first(where: { distance in
                (0...3).allSatisfy { bytes[position + $0 * distance] == Self.sync }
            }) {
                distance = found
                if grid == nil { grid = (self.position + position, found) }
            } else {
                distance = nil
                position += 1
            }
        }
        rest = Array(bytes[min(position, bytes.count)...])
        self.position += bytes.count - rest.count
    }

    /// - Parameters:
    ///   - bytes: a packet, and what is up to the next.
    ///   - place: where it lies in the file.
    private mutating func noteOther(in bytes: ArraySlice<UInt8>, at place: Int) {
        guard let grid else { return }
        let offset = (grid.distance - (place - grid.start) % grid.distance) % grid.distance
        guard offset > 0 else {
            otherCount = 0
            return
        }
        // Packets at a larger distance may have none of the former places.
        guard offset < bytes.count else { return }
        otherCount = bytes[bytes.startIndex + offset] == Self.sync ? otherCount + 1 : 0
        if otherCount == Self.leastOthers { hideOthers = true }
    }

    /// Reads what is left at the end of the file.
    mutating func finish(_ body: (ArraySlice<UInt8>) -> Void) {
        guard let distance else { return }
        var position = 0
        while position + Self.length <= rest.count, rest[position] == Self.sync {
            body(rest[position..<(position + Self.length)])
            position += distance
        }
    }

    /// What a packet carries, or nil where that is nothing.
    static func content(of packet: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let kind = packet[packet.startIndex + 3] >> 4 & 3
        guard kind & 1 != 0 else { return nil }
        let skipped = kind & 2 != 0 ? 5 + Int(packet[packet.startIndex + 4]) : 4
        return skipped < packet.count ? packet.dropFirst(skipped) : nil
    }

    private static let sync: UInt8 = 0x47
    private static let length = 188
    /// In damaged streams, fewer bytes look like the beginnings of packets.
    private static let leastOthers = 3
    private static let distances = [188, 192, 204]
    /// The bytes by which it is known where packets begin.
    private static let needed = 3 * 204 + 1
}
