// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Checks the indices by which programs seek in a fragmented MP4 file.
///
/// A program that seeks continues at a position in an index, which may lie in a box that this decoder skips.
///
/// Source: ISO/IEC 14496-12, sections 8.8.10 and 8.16.3.
enum FragmentIndex {
    /// Whether an index names a position at which no fragment or related box of the file begins.
    ///
    /// - Parameter boxes: the boxes at the top level of the file.
    static func hasDisagreement(
        _ boxes: [MediaBoxes.Box], in file: InputFile, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> Bool {
        let indices = boxes.filter { $0.name == "sidx" || $0.name == "mfra" }
        guard !indices.isEmpty else { return false }
        let places = Set(boxes.filter { targets.contains($0.name) }.map(\.position))
        for index in indices {
            if index.name == "sidx" {
                guard try leads(index, to: places, in: file) else { return true }
            } else {
                for table in try reader.boxes(in: index.content) where table.name == "tfra" {
                    guard try leads(randomAccess: table, to: places, in: file) else { return true }
                }
            }
        }
        return false
    }

    private static func leads(
        _ index: MediaBoxes.Box, to places: Set<Int>, in file: InputFile
    ) throws(DecodingFailure) -> Bool {
        let bytes = try file.bytes(at: index.content.lowerBound, count: min(index.content.count, mostBytes))
        guard let version = bytes.first, version <= 1 else { return false }
        let offsetSize = version == 0 ? 4 : 8
        let header = 16 + 2 * offsetSize
        guard bytes.count >= header else { return false }
        let entryCount = Int(bytes.bigEndian(at: header - 2, as: UInt16.self) ?? 0)
        guard bytes.count >= header + entryCount * 12 else { return false }
        var position = number(bytes, at: 12 + offsetSize, size: offsetSize) &+ index.content.upperBound
        for entry in 0..<entryCount {
            guard places.contains(position) else { return false }
            position &+= number(bytes, at: header + entry * 12, size: 4) & 0x7FFF_FFFF
        }
        return true
    }

    private static func leads(
        randomAccess table: MediaBoxes.Box, to places: Set<Int>, in file: InputFile
    ) throws(DecodingFailure) -> Bool {
        let bytes = try file.bytes(at: table.content.lowerBound, count: min(table.content.count, mostBytes))
        guard bytes.count >= 16, bytes[0] <= 1 else { return false }
        let offsetSize = bytes[0] == 0 ? 4 : 8
        let lengths = number(bytes, at: 8, size: 4)
        let entrySize = 2 * offsetSize + [4, 2, 0].reduce(0) { $0 + (lengths >> $1 & 3) + 1 }
        let entryCount = number(bytes, at: 12, size: 4)
        guard entryCount <= (bytes.count - 16) / entrySize else { return false }
        return (0..<entryCount).allSatisfy { entry in
            let position = number(bytes, at: 16 + entry * entrySize + offsetSize, size: offsetSize)
            // GStreamer leaves the last entry empty. A program that follows it begins anew.
            return position == 0 || places.contains(position)
        }
    }

    /// Returns a number of four or eight bytes; a number too large for any position becomes negative.
    private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int {
        size == 4
            ? Int(bytes.bigEndian(at: offset, as: UInt32.self) ?? 0)
            : Int(truncatingIfNeeded: bytes.bigEndian(at: offset, as: UInt64.self) ?? 0)
    }

    /// The boxes to which an index may lead: fragments, boxes before them in joined segments, and more indices.
    private static let targets: Set<String> = ["moof", "styp", "sidx", "emsg", "prft"]
    /// The most bytes of an index that are read; ten hours in fragments of a quarter of a second need fewer.
    private static let mostBytes = 8 << 20
}
