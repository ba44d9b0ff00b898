// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds the packets in the bytes of a transport stream, even if some bytes are missing.
///
/// Source: ISO/IEC 13818-1, section 2.4.3.
struct TransportPackets {
    private var rest: [UInt8] = []
    /// The distance of packets in bytes: 188, or more if each packet has a time or an error correction code.
    private var distance: Int?
    /// The grid of the first packets: the position of the first one in the file, and the distance between packets.
    private var grid: (start: Int, distance: Int)?
    /// The position of the kept bytes in the file.
    private var position = 0
    /// The number of consecutive packets that may hide the start of another packet, on the grid of the first packets.
    private var otherCount = 0
    /// Whether the packets have left the grid of the first packets, and other packets lie on that grid.
    ///
    /// A player that seeks keeps to the grid of the first packets, and so finds the other packets.
    private(set) var hideOthers = false

    /// Calls the closure with each complete packet of 188 bytes.
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
    ///   - bytes: a packet, and the bytes up to the next packet.
    ///   - place: the position of the packet in the file, in bytes.
    private mutating func noteOther(in bytes: ArraySlice<UInt8>, at place: Int) {
        guard let grid else { return }
        let offset = (grid.distance - (place - grid.start) % grid.distance) % grid.distance
        guard offset > 0 else {
            otherCount = 0
            return
        }
        // If the packets of the grid are farther apart, a packet may contain no position of the grid.
        guard offset < bytes.count else { return }
        otherCount = bytes[bytes.startIndex + offset] == Self.sync ? otherCount + 1 : 0
        if otherCount == Self.leastOthers { hideOthers = true }
    }

    /// Reads the remaining bytes at the end of the file.
    mutating func finish(_ body: (ArraySlice<UInt8>) -> Void) {
        guard let distance else { return }
        var position = 0
        while position + Self.length <= rest.count, rest[position] == Self.sync {
            body(rest[position..<(position + Self.length)])
            position += distance
        }
    }

    /// Returns the payload of a packet, or nil if it has none.
    static func content(of packet: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let kind = packet[packet.startIndex + 3] >> 4 & 3
        guard kind & 1 != 0 else { return nil }
        let skipped = kind & 2 != 0 ? 5 + Int(packet[packet.startIndex + 4]) : 4
        return skipped < packet.count ? packet.dropFirst(skipped) : nil
    }

    private static let sync: UInt8 = 0x47
    private static let length = 188
    /// The packets in a row that set `hideOthers`; in damaged streams, fewer bytes look like starts of packets.
    private static let leastOthers = 3
    private static let distances = [188, 192, 204]
    /// The number of bytes that are needed to find the start of packets.
    private static let needed = 3 * 204 + 1
}
