// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The places of packets in bytes of another format, counted as FFmpeg counts them to recognise a transport stream.
///
/// FFmpeg looks at 2 KiB, then 4 KiB, and so on, in blocks of a hundred packets. It counts the headers at each place of
/// a packet. A flat area of a picture has headers at many places, which lowers the score. Source: the behaviour of
/// FFmpeg 5.1 and 7.1 (libavformat/mpegts.c).
struct TransportStatistics {
    private let bytes: [UInt8]
    /// The positions of sync bytes, and whether the header behind each names a payload or an adaptation field.
    private let headers: [(position: Int, hasContent: Bool)]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        headers = unsafe bytes.withUnsafeBufferPointer { buffer in
            (0..<max(0, buffer.count - 3)).compactMap { place in
                unsafe buffer[place] == 0x47 ? (place, buffer[place + 3] & 0x30 != 0) : nil
            }
        }
    }

    /// Whether FFmpeg recognises a transport stream in any of the lengths that it looks at.
    var makeStream: Bool {
        var length = Self.firstLength
        while true {
            if isStream(length: min(length, bytes.count)) { return true }
            guard length < bytes.count else { return false }
            length *= 2
        }
    }

    private func isStream(length: Int) -> Bool {
        let packetCount = length / Self.longestPacket
        guard packetCount >= Self.leastPackets else { return false }
        var (sum, most) = (0, 0)
        for first in stride(from: 0, to: packetCount, by: Self.blockSize) {
            let count = min(Self.blockSize, packetCount - first)
            var best = 0
            for size in Self.packetSizes { best = max(best, score(packetSize: size, first: first, count: count)) }
            sum += best
            most = max(most, best)
        }
        return sum * 10 / packetCount > Self.mostByChance || most * 10 / Self.blockSize > Self.mostByChance
    }

    /// Returns the number of headers at the place of a packet that has most, less a part of all others.
    private func score(packetSize: Int, first: Int, count: Int) -> Int {
        let (start, end) = (packetSize * first, packetSize * (first + count) - 3)
        guard start + 2 < bytes.count else { return 0 }
        // FFmpeg reads this number once for each block, at its second byte.
        let isEmpty = Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
        let countsAll = isEmpty & 0x1FFF == 0x1FFF
        var counts = [Int](repeating: 0, count: packetSize)
        var (all, best) = (0, 0)
        var index = headers.partitioningIndex { $0.position >= start }
        while index < headers.count, headers[index].position < end {
            if countsAll || headers[index].hasContent {
                let place = (headers[index].position - start) % packetSize
                counts[place] += 1
                all += 1
                best = max(best, counts[place])
            }
            index += 1
        }
        return best - max(0, all - 10 * best) / 10
    }

    private static let packetSizes = [188, 192, longestPacket]
    private static let longestPacket = 204
    private static let (firstLength, blockSize, leastPackets, mostByChance) = (2048, 100, 10, 6)
}
