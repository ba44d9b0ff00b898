// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// Finds out whether frames depend on parameters that only some packets carry.
///
/// A decoder keeps the parameters that it was given last. Players skip parts of a stream or begin in its midst, and segments are
/// decoded by themselves here. All show the same only where parameters never change, or where each key frame after a change
/// brings its own. Sources: ITU-T H.264, section 7.4.1; ITU-T H.265, section 7.4.2; ISO/IEC 14496-2, section 6.2;
/// ISO/IEC 13818-2, section 6.2; ITU-T T.81, annex B.
struct ParameterSets {
    /// Whether frames may look different by which packets were decoded before them.
    private(set) var areDoubtful = false
    private let codec: VideoCodec?
    /// How many bytes the length before each unit has; 0 where units begin with a start code.
    private let lengthSize: Int
    /// The parameters that every decoder has from the start.
    private var known: Set<[UInt8]>
    private var isAtStart = true
    private var haveChanged = false
    /// Whether the first frame of Motion JPEG had tables of codes.
    private var hasCodes: Bool?

    /// - Parameter extraData: the parameters as the container has them.
    init(_ codec: VideoCodec?, extraData: [UInt8]) {
        self.codec = codec
        let isConfiguration = extraData.first == 1 && extraData.count >= 7
        switch codec {
        case .h264 where isConfiguration:
            lengthSize = Int(extraData[4] & 3) + 1
            known = Self.configured(extraData)
        case .hevc where isConfiguration && extraData.count >= 23:
            lengthSize = Int(extraData[21] & 3) + 1
            known = Self.configuredHEVC(extraData)
        default:
            lengthSize = 0
            known = []
            known = Set(units(behindStartCodesOf: extraData).filter(isParameter))
        }
    }

    /// Whether another packet can make a difference.
    var areWatched: Bool { !areDoubtful && [.h264, .hevc, .mpeg4, .mpeg2, .mjpeg].contains(codec) }

    /// Notes a packet of the stream, in the order of the file.
    mutating func add(_ bytes: [UInt8], isKey: Bool) {
        guard areWatched else { return }
        if codec == .mjpeg { return addPicture(bytes) }
        let units = (lengthSize > 0 ? units(ofLengthsIn: bytes) : units(behindStartCodesOf: bytes)).filter(isParameter)
        if isAtStart, known.isEmpty { known = Set(units) }
        isAtStart = false
        if units.contains(where: { !known.contains($0) }) {
            haveChanged = true
            areDoubtful = !isKey
        } else if haveChanged, isKey, units.isEmpty {
            areDoubtful = true
        }
    }

    /// Whether a unit, behind its start code or length, holds parameters.
    private func isParameter(_ unit: [UInt8]) -> Bool {
        guard let first = unit.first else { return false }
        switch codec {
        case .h264: return [7, 8, 13, 15].contains(first & 31)
        case .hevc: return (32...34).contains(first >> 1 & 63)
        case .mpeg4: return first == 0xB0 || first == 0xB5 || (0x20...0x2F).contains(first)
        // A sequence; of extensions those of a sequence and of its matrices.
        case .mpeg2: return first == 0xB3 || first == 0xB5 && unit.count > 1 && [1, 3].contains(unit[1] >> 4)
        default: return false
        }
    }

    // MARK: Units

    private func units(ofLengthsIn bytes: [UInt8]) -> [[UInt8]] {
        var (units, position): ([[UInt8]], Int) = ([], 0)
        while position + lengthSize < bytes.count {
            let length = bytes[position..<(position + lengthSize)].reduce(0) { $0 << 8 | Int($1) }
            position += lengthSize
            let end = min(bytes.count, position + length)
            // Only parameters are compared, and they are small.
            units.append(Array(bytes[position..<min(end, position + Self.mostBytes)]))
            position = max(end, position)
        }
        return units
    }

    private func units(behindStartCodesOf bytes: [UInt8]) -> [[UInt8]] {
        var starts: [Int] = []
        var place = 0
        while place + 3 < bytes.count {
            if bytes[place + 2] > 1 {
                place += 3
            } else if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
                starts.append(place + 3)
                place += 3
            } else {
                place += 1
            }
        }
        return starts.indices.map { index in
            var end = index + 1 < starts.count ? starts[index + 1] - 3 : bytes.count
            // Zeros before the next start code are none of the unit.
            while end > starts[index], bytes[end - 1] == 0 { end -= 1 }
            return Array(bytes[starts[index]..<min(end, starts[index] + Self.mostBytes)])
        }
    }

    /// The parameters of a configuration of H.264: the sets of sequences, and those of pictures.
    ///
    /// Source: ISO/IEC 14496-15, section 5.3.3.
    private static func configured(_ bytes: [UInt8]) -> Set<[UInt8]> {
        var (units, position): (Set<[UInt8]>, Int) = ([], 5)
        // The upper bits of the first counter mean nothing.
        for mask in [31, 255] as [UInt8] {
            guard position < bytes.count else { break }
            let count = Int(bytes[position] & mask)
            position += 1
            readUnits(count, of: bytes, at: &position, into: &units)
        }
        return units
    }

    /// The parameters of a configuration of HEVC, in arrays of one kind each.
    ///
    /// Source: ISO/IEC 14496-15, section 8.3.3.
    private static func configuredHEVC(_ bytes: [UInt8]) -> Set<[UInt8]> {
        var (units, position): (Set<[UInt8]>, Int) = ([], 23)
        for _ in 0..<Int(bytes[22]) {
            guard let count: UInt16 = bytes.bigEndian(at: position + 1) else { break }
            position += 3
            readUnits(Int(count), of: bytes, at: &position, into: &units)
        }
        return units
    }

    private static func readUnits(
        _ count: Int, of bytes: [UInt8], at position: inout Int, into units: inout Set<[UInt8]>
    ) {
        for _ in 0..<count {
            guard let length: UInt16 = bytes.bigEndian(at: position), position + 2 + Int(length) <= bytes.count else {
                return
            }
            units.insert(Array(bytes[(position + 2)..<(position + 2 + min(Int(length), mostBytes))]))
            position += 2 + Int(length)
        }
    }

    /// More than any set of parameters has.
    private static let mostBytes = 4096

    // MARK: Motion JPEG

    /// Notes a picture, which has to bring its matrices, and tables of codes as the first one does.
    private mutating func addPicture(_ bytes: [UInt8]) {
        var (position, hasMatrices, hasTables) = (2, false, false)
        while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] != 0xDA {
            if bytes[position + 1] == 0xFF {
                position += 1
                continue
            }
            if bytes[position + 1] == 0xDB { hasMatrices = true }
            if bytes[position + 1] == 0xC4 { hasTables = true }
            position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        }
        areDoubtful = !hasMatrices || hasCodes ?? hasTables != hasTables
        hasCodes = hasTables
    }
}
