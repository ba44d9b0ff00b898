// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol

/// Streams and pictures for which FFmpeg plays a file in spite of its signature.
///
/// FFmpeg reads 2 KiB and takes the format that gives it the most points: a transport stream and PICT have more than most
/// signatures, and a video stream without a container as many as JPEG, BMP and TIFF.
enum StreamsInside {
    /// Whether FFmpeg may play something else than the format.
    static func claim(_ prefix: [UInt8], _ format: MediaFormat) -> Bool {
        if isPICT(prefix) { return true }
        let isStream = format == .video && FormatSniffer.isTransportStream(prefix)
        if !isStream, hasPackets(prefix) { return true }
        // To FFmpeg, these brands are weak signs, and it looks for a stream of video units in the whole file.
        if prefix.hasText("ftyp", at: 4), ["jp2 ", "jpx ", "jxl "].contains(where: { prefix.hasText($0, at: 8) }) {
            return true
        }
        let isWeak =
            [.jpeg, .bmp, .tiff].contains(format)
            || FormatSniffer.isQuickTime(prefix) && !prefix.hasText("ftyp", at: 4)
        return isWeak && hasVideoUnits(prefix)
    }

    /// Whether FFmpeg may play a file that has no other signature.
    static func areIn(_ prefix: [UInt8]) -> Bool { isPICT(prefix) || hasPackets(prefix) || hasVideoUnits(prefix) }

    private static func isPICT(_ prefix: [UInt8]) -> Bool {
        Array(prefix.dropFirst(522).prefix(6)) == [0x00, 0x11, 0x02, 0xFF, 0x0C, 0x00]
    }

    /// Whether there are packets of a transport stream, wherever they begin.
    private static func hasPackets(_ prefix: [UInt8]) -> Bool {
        [188, 192, 204].contains { length in
            (0..<length).contains {
                FormatSniffer.hasPackets(prefix, from: $0, length: length, count: leastPackets)
            }
        }
    }

    /// Whether there are the units with which a stream of H.264, HEVC or MPEG begins.
    private static func hasVideoUnits(_ prefix: [UInt8]) -> Bool {
        // The byte behind the start code, and the one behind that.
        var units: [(kind: UInt8, next: UInt8)] = []
        for place in 0..<max(0, prefix.count - 4)
        where prefix[place] == 0 && prefix[place + 1] == 0 && prefix[place + 2] == 1 {
            units.append((prefix[place + 3], prefix[place + 4]))
        }
        let kinds = Set(units.map(\.kind))
        // A sequence of a known profile, and a picture's parameters; for HEVC both, which are of the first layer.
        let isAdvanced =
            units.contains { $0.kind & 0x9F == 7 && profiles.contains($0.next) } && kinds.contains { $0 & 0x9F == 8 }
        let isEfficient = [0x42, 0x44].allSatisfy { kind in units.contains { $0.kind == kind && $0.next < 8 } }
        // A sequence and its first picture; objects and a picture; a pack with the bits that mark it.
        return isAdvanced || isEfficient || kinds.isSuperset(of: [0xB3, 0x00])
            || (kinds.contains(0xB6) && kinds.contains { (0x20...0x2F).contains($0) || $0 == 0xB0 })
            || units.contains { $0.kind == 0xBA && ($0.next & 0xC4 == 0x44 || $0.next & 0xF1 == 0x21) }
    }

    /// Source: ITU-T H.264, annex A and G to I.
    private static let profiles: Set<UInt8> = [44, 66, 77, 83, 86, 88, 100, 110, 118, 122, 128, 244]
    /// So many that ordinary bytes are not taken for packets.
    private static let leastPackets = 5
}
