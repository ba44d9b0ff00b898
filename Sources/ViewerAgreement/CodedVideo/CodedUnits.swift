// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Splits packets into their units, each without its start code or length.
///
/// Sources: ITU-T H.264 and H.265, annex B; ISO/IEC 14496-15, sections 5.3.3 and 8.3.3; ISO/IEC 13818-2, section 6.2.
package struct CodedUnits {
    /// The number of bytes of the length before each unit, or 0 if units begin with a start code.
    private let lengthSize: Int
    private let codec: VideoCodec?
    /// Whether every decoder reads the container's parameters in the same way.
    private let isConfiguredPlainly: Bool

    /// - Parameter extraData: the parameters that the container holds for the decoder.
    package init(_ codec: VideoCodec?, extraData: [UInt8]) {
        self.codec = codec
        isConfiguredPlainly = Self.isConfiguration(extraData, of: codec) || Self.isStream(extraData, of: codec)
        switch codec {
        case .h264 where Self.isConfiguration(extraData, of: codec): lengthSize = Int(extraData[4] & 3) + 1
        case .hevc where Self.isConfiguration(extraData, of: codec): lengthSize = Int(extraData[21] & 3) + 1
        default: lengthSize = 0
        }
    }

    /// Splits a packet.
    ///
    /// - Parameter bytes: the data of the packet.
    package func split(_ bytes: [UInt8]) -> CodedPacket {
        guard lengthSize > 0 else {
            let units = Self.units(behindStartCodesOf: bytes)
            return CodedPacket(bytes: bytes, shape: shape(of: bytes, isPlain: true), units: units, otherUnits: [])
        }
        if codec == .h264, isConfiguredPlainly, bytes.count > lengthSize, let inner = wrappedUnits(in: bytes) {
            return CodedPacket(bytes: bytes, shape: .wrapped, units: inner, otherUnits: [])
        }
        let (units, isPlain) = units(ofLengthsIn: bytes)
        return CodedPacket(
            bytes: bytes, shape: shape(of: bytes, isPlain: isPlain), units: units,
            otherUnits: isPlain ? [] : Self.units(behindStartCodesOf: bytes))
    }

    /// Returns the units behind start codes in a packet that is a single prefix of a temporal layer; nil for others.
    ///
    /// Source: ITU-T H.264, annex F, section 7.3.1 (kind 14).
    private func wrappedUnits(in bytes: [UInt8]) -> [[UInt8]]? {
        let length = bytes[..<lengthSize].reduce(0) { $0 << 8 | Int($1) }
        guard length == bytes.count - lengthSize, bytes[lengthSize] & 0x9F == Self.prefixOfLayer else { return nil }
        let units = Self.units(behindStartCodesOf: Array(bytes[lengthSize...]))
        return units.contains(where: CodedUnits.isSlice) ? units : nil
    }

    private static let prefixOfLayer: UInt8 = 14

    private func shape(of bytes: [UInt8], isPlain: Bool) -> CodedPacket.Shape {
        guard codec == .h264 || codec == .hevc else { return .plain }
        // FFmpeg reads such a packet as parameters of the container.
        let isLikeConfiguration =
            codec == .h264 && bytes.count >= 9 && bytes[0] == 1 && bytes[2] == 0 && bytes[4] & 0xFC == 0xFC
        guard isConfiguredPlainly, !isLikeConfiguration else { return .misleading }
        return isPlain ? .plain : codec == .hevc ? .misleading : .odd
    }

    /// Returns the units behind lengths, and whether every decoder finds exactly these units.
    private func units(ofLengthsIn bytes: [UInt8]) -> (units: [[UInt8]], isPlain: Bool) {
        // FFmpeg reads a four-byte length of 1 as a start code, and may expect start codes from here on.
        var isPlain = !bytes.starts(with: [0, 0, 0, 1])
        var (units, position): ([[UInt8]], Int) = ([], 0)
        while position + lengthSize < bytes.count {
            let start = position + lengthSize
            let length = bytes[position..<start].reduce(0) { $0 << 8 | Int($1) }
            let end = min(bytes.count, start + length)
            units.append(Array(bytes[start..<min(end, start + Self.mostBytes)]))
            isPlain = isPlain && length > 0 && start + length == end && !Self.hasStartCode(bytes, start..<end)
            position = end
        }
        return (units, isPlain && position == bytes.count)
    }

    private static func hasStartCode(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var place = range.lowerBound + 2
        while place < range.upperBound {
            if bytes[place] > 1 {
                place += 3
            } else if bytes[place] == 1, bytes[place - 1] == 0, bytes[place - 2] == 0 {
                return true
            } else {
                place += 1
            }
        }
        return false
    }

    /// Returns the beginning of each unit behind a start code.
    static func units(behindStartCodesOf bytes: [UInt8]) -> [[UInt8]] {
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
            // Zeros before the next start code do not belong to the unit.
            while end > starts[index], bytes[end - 1] == 0 { end -= 1 }
            return Array(bytes[starts[index]..<min(end, starts[index] + mostBytes)])
        }
    }

    /// Returns the picture kind of an HEVC unit, or nil for other units and for units that decoders ignore.
    ///
    /// Decoders ignore units of other layers, forbidden units, and kinds that have no meaning yet.
    package static func pictureKind(ofHEVC unit: [UInt8]) -> UInt8? {
        guard isRead(ofHEVC: unit) else { return nil }
        let kind = unit[0] >> 1
        return (0...9).contains(kind) || (16...21).contains(kind) ? kind : nil
    }

    /// Whether decoders read a unit of HEVC at all.
    static func isRead(ofHEVC unit: [UInt8]) -> Bool {
        unit.count > 2 && unit[0] & 0x81 == 0 && unit[1] & 0xF8 == 0 && unit[1] & 7 > 0
    }

    /// Whether a unit of H.264 has the header of a slice: a slice, one of an IDR picture, or the first part of a split one.
    static func isSlice(ofH264 unit: [UInt8]) -> Bool {
        // The upper bit is forbidden.
        unit.first.map { [1, 2, 5].contains($0 & 0x9F) } ?? false
    }

    /// Returns the content of a unit of H.264 or HEVC without its emulation prevention bytes.
    ///
    /// - Parameter content: the bytes behind the header of the unit.
    static func payload(of content: ArraySlice<UInt8>) -> [UInt8] {
        var (payload, zeros): ([UInt8], Int) = ([], 0)
        for byte in content {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            // FFmpeg reads two zeros and then a 1 or 2 as the end of the unit.
            if zeros >= 2, byte == 1 || byte == 2 { break }
            zeros = byte == 0 ? zeros + 1 : 0
            payload.append(byte)
        }
        return payload
    }

    // MARK: Parameters

    /// Returns the parameters of a stream from its container, one unit each.
    static func parameters(of codec: VideoCodec?, in extraData: [UInt8]) -> [[UInt8]] {
        switch codec {
        case .h264 where isConfiguration(extraData, of: codec): configured(extraData)
        case .hevc where isConfiguration(extraData, of: codec): configuredHEVC(extraData)
        default: units(behindStartCodesOf: extraData)
        }
    }

    /// Whether parameters are a configuration as in MP4 and Matroska, and not units behind start codes.
    private static func isConfiguration(_ extraData: [UInt8], of codec: VideoCodec?) -> Bool {
        extraData.first == 1 && extraData.count >= (codec == .hevc ? 23 : 7)
    }

    /// Whether FFmpeg reads parameters as units behind start codes.
    private static func isStream(_ extraData: [UInt8], of codec: VideoCodec?) -> Bool {
        switch codec {
        case .h264: extraData.first != 1
        case .hevc: extraData.count <= 3 || extraData[0] == 0 && extraData[1] == 0 && extraData[2] <= 1
        default: true
        }
    }

    /// Returns the units in a configuration of H.264: sequence parameter sets, then picture parameter sets.
    ///
    /// Source: ISO/IEC 14496-15, section 5.3.3.
    private static func configured(_ bytes: [UInt8]) -> [[UInt8]] {
        var (units, position): ([[UInt8]], Int) = ([], 5)
        // The upper bits of the first counter have no meaning.
        for mask in [31, 255] as [UInt8] {
            guard position < bytes.count else { break }
            let count = Int(bytes[position] & mask)
            position += 1
            readUnits(count, of: bytes, at: &position, into: &units)
        }
        return units
    }

    /// Returns the units in a configuration of HEVC, which has one array for each kind of unit.
    ///
    /// Source: ISO/IEC 14496-15, section 8.3.3.
    private static func configuredHEVC(_ bytes: [UInt8]) -> [[UInt8]] {
        var (units, position): ([[UInt8]], Int) = ([], 23)
        for _ in 0..<Int(bytes[22]) {
            guard let count: UInt16 = bytes.bigEndian(at: position + 1) else { break }
            position += 3
            readUnits(Int(count), of: bytes, at: &position, into: &units)
        }
        return units
    }

    private static func readUnits(
        _ count: Int, of bytes: [UInt8], at position: inout Int, into units: inout [[UInt8]]
    ) {
        for _ in 0..<count {
            guard let length: UInt16 = bytes.bigEndian(at: position), position + 2 + Int(length) <= bytes.count else {
                return
            }
            units.append(Array(bytes[(position + 2)..<(position + 2 + min(Int(length), mostBytes))]))
            position += 2 + Int(length)
        }
    }

    /// The most bytes that are kept of a unit; no set of parameters has more.
    private static let mostBytes = 4096
}
