// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Frames without compression in a Matroska stream, which the decoders of this project read like any other stream.
///
/// Source of the elements: RFC 9559.
struct MatroskaFrames: Equatable {
    var width: Int
    var height: Int
    var isBiplanar: Bool
    var isFullRange: Bool
    /// The matrix of the colours: 601, 709, or another number if the source does not say.
    var matrix: Int

    /// The bytes before all frames.
    var header: [UInt8] {
        var color = Self.element([0x55, 0xB9], Self.number(isFullRange ? 2 : 1))
        // The numbers are those of ITU-T H.273.
        if matrix == 601 { color += Self.element([0x55, 0xB1], Self.number(6)) }
        if matrix == 709 { color += Self.element([0x55, 0xB1], Self.number(1)) }
        let video =
            Self.element([0xB0], Self.number(width)) + Self.element([0xBA], Self.number(height))
            + Self.element([0x2E, 0xB5, 0x24], Array((isBiplanar ? "NV12" : "I420").utf8))
            + Self.element([0x55, 0xB0], color)
        let track =
            Self.element([0xD7], Self.number(1)) + Self.element([0x73, 0xC5], Self.number(1))
            + Self.element([0x83], Self.number(1)) + Self.element([0x86], Array("V_UNCOMPRESSED".utf8))
            + Self.element([0xE0], video)
        let information = Self.element([0x2A, 0xD7, 0xB1], Self.number(Self.nanosecondsInUnit))
        return Self.element([0x1A, 0x45, 0xDF, 0xA3], Self.documentType) + [0x18, 0x53, 0x80, 0x67] + Self.unknownLength
            + Self.element([0x15, 0x49, 0xA9, 0x66], information)
            + Self.element([0x16, 0x54, 0xAE, 0x6B], Self.element([0xAE], track))
    }

    /// The bytes before a frame of so many bytes, which is a cluster of its own.
    static func header(ofFrameAt milliseconds: Int, byteCount: Int) -> [UInt8] {
        let time = element([0xE7], number(milliseconds))
        // The track, a time of zero from that of the cluster, and the flag of a key frame.
        let block: [UInt8] = [0x81, 0, 0, 0x80]
        let blockStart: [UInt8] = [0xA3] + length(block.count + byteCount) + block
        return [0x1F, 0x43, 0xB6, 0x75] + length(time.count + blockStart.count + byteCount) + time + blockStart
    }

    private static let documentType =
        element([0x42, 0x86], number(1)) + element([0x42, 0xF7], number(1)) + element([0x42, 0xF2], number(4))
        + element([0x42, 0xF3], number(8)) + element([0x42, 0x82], Array("matroska".utf8))
        + element([0x42, 0x87], number(4)) + element([0x42, 0x85], number(2))

    private static let nanosecondsInUnit = 1_000_000
    private static let unknownLength: [UInt8] = [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]

    private static func element(_ identifier: [UInt8], _ content: [UInt8]) -> [UInt8] {
        identifier + length(content.count) + content
    }

    /// A length of eight bytes.
    private static func length(_ count: Int) -> [UInt8] { [0x01] + bigEndian(count).dropFirst() }

    private static func number(_ value: Int) -> [UInt8] { bigEndian(value) }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * (7 - $0))) }
    }
}
