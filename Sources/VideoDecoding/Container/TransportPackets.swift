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
    /// Whether packets go on elsewhere than at the distance of the first ones.
    ///
    /// A player that seeks looks at that distance, and could find other packets there.
    private(set) var haveShifted = false

    /// Calls the closure with each packet of 188 bytes that is complete.
    mutating func add(_ bytes: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        let bytes = rest.isEmpty ? bytes : rest + bytes
        var position = 0
        while position + Self.needed <= bytes.count {
            if let distance, bytes[position] == Self.sync {
                body(bytes[position..<(position + Self.length)])
                position += distance
            } else if let found = Self.distances.first(where: { distance in
                (0...3).allSatisfy { bytes[position + $0 * distance] == Self.sync }
            }) {
                distance = found
                note(found, at: self.position + position)
            } else {
                distance = nil
                position += 1
            }
        }
        rest = Array(bytes[min(position, bytes.count)...])
        self.position += bytes.count - rest.count
    }

    private mutating func note(_ distance: Int, at place: Int) {
        guard let grid else {
            grid = (place, distance)
            return
        }
        if distance != grid.distance || (place - grid.start) % distance != 0 { haveShifted = true }
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
    private static let distances = [188, 192, 204]
    /// The bytes by which it is known where packets begin.
    private static let needed = 3 * 204 + 1
}
