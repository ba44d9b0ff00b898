// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

/// Finds streams of video, and containers that may begin anywhere, in the bytes of another file.
///
/// Sources: ITU-T H.261, H.263, H.264 and H.265; ISO/IEC 11172-2, 13818-1, 13818-2 and 14496-2; SMPTE 377M, 421M and
/// 314M; GB/T 20090.2; the NUT and NSV formats.
struct StreamSearch {
    /// Whether a container or DV was found, which FFmpeg prefers to most signatures.
    private(set) var hasContainer = false
    /// Whether a bare stream of video, or an MPEG program stream, seems to begin in the bytes.
    private(set) var hasVideo = false

    private var units = StartCodes()
    private var telephony = TelephonyPictures()
    /// The number of sync bytes that another follows at the distance of a packet.
    private var syncCount = 0
    /// The number of headers of DV sections, and of bytes that differ from such a header only in its number.
    private var (sectionCount, likeCount) = (0, 0)

    init(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var place = 0
            var length = Self.firstLength
            while true {
                place = unsafe CPixelLoops_next_stream_place(base, place, buffer.count)
                // A program counts what lies within the bytes that it looks at. FFmpeg doubles their number.
                while place >= length {
                    noteVideo()
                    length *= 2
                }
                guard place < buffer.count, !hasContainer else { break }
                note(bytes, at: place)
                if place < Self.firstLength { noteVideo() }
                place += 1
            }
            noteVideo()
        }
        if !hasContainer, syncCount >= Self.leastSyncs { hasContainer = TransportStatistics(bytes).makeStream }
    }

    private mutating func noteVideo() { hasVideo = hasVideo || units.makeVideo || telephony.makeVideo }

    /// Notes a packet, a signature, a start code or a DV section.
    ///
    /// - Parameter place: the possible start of a packet, signature or start code; the next byte is a zero of the code.
    private mutating func note(_ bytes: [UInt8], at place: Int) {
        if bytes[place + 1] == 0 {
            telephony.note(bytes, at: place)
            if bytes[place] == 0, bytes[place + 2] == 1, place + 4 < bytes.count {
                units.note(kind: bytes[place + 3], bytes[(place + 4)...].prefix(8))
            }
        }
        if bytes[place] == Self.sync {
            syncCount += 1
            if Self.hasPackets(bytes, at: place) { hasContainer = true }
        }
        if Self.signatures.contains(where: { bytes[place...].starts(with: $0) }) { hasContainer = true }
        if bytes[place] == 0x4E, Self.hasNSVChunk(bytes, at: place) { hasContainer = true }
        noteSection(bytes, at: place)
    }

    /// Notes the header of a DV section: its kind, its sequence number, its own number, and flags.
    private mutating func noteSection(_ bytes: [UInt8], at place: Int) {
        guard place + 4 <= bytes.count, bytes[place] == 0x1F || bytes[place] == 0xFF else { return }
        let header = bytes[place..<(place + 4)]
        if Self.sections.contains(where: { header.starts(with: $0) }) { sectionCount += 1 }
        if bytes[place] == 0x1F, bytes[place + 1] & 7 == 7, bytes[place + 3] & 0x7F == 0x3F { likeCount += 1 }
        if sectionCount >= Self.leastSections || sectionCount > 0 && likeCount >= Self.leastLike { hasContainer = true }
    }

    /// Returns whether more packets of a transport stream follow than ordinary bytes may contain by chance.
    ///
    /// GStreamer looks for a few valid headers behind each other near the start.
    private static func hasPackets(_ bytes: [UInt8], at place: Int) -> Bool {
        place < searchedByGStreamer
            && [188, 192, 204].contains { length in
                FormatSniffer.hasPackets(bytes, from: place, length: length, count: leastPackets)
                    && (0..<leastPackets).allSatisfy { isHeader(bytes, at: place + $0 * length) }
                    // The byte is frequent in an area of one colour.
                    && bytes[place...].prefix(leastPackets * length).count { $0 == sync } < mostSyncs
            }
    }

    /// Whether the header of a packet has no error, is not scrambled, and names a payload or an adaptation field.
    private static func isHeader(_ bytes: [UInt8], at place: Int) -> Bool {
        FormatSniffer.isPlainPacket(bytes, at: place) && bytes[place + 1] & 0x80 == 0
    }

    /// Returns whether a synchronized chunk of NSV is followed by another chunk.
    private static func hasNSVChunk(_ bytes: [UInt8], at place: Int) -> Bool {
        guard bytes.hasText("NSVs", at: place), place + 24 <= bytes.count else { return false }
        let sizes = bytes[(place + 19)..<(place + 24)].map(Int.init)
        let pictureSize = (sizes[0] | sizes[1] << 8 | sizes[2] << 16) >> 4
        let end = place + 24 + pictureSize + (sizes[3] | sizes[4] << 8)
        guard end + 2 <= bytes.count else { return false }
        return bytes[end] == 0xEF && bytes[end + 1] == 0xBE || bytes.hasText("NSVs", at: end)
    }

    private static let signatures: [[UInt8]] = [
        // The key of a partition of MXF, the main header of NUT, and the header of a TiVo file.
        [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02],
        [0x4E, 0x4D, 0x7A, 0x56, 0x1F, 0x5F, 0x04, 0xAD],
        [0xF5, 0x46, 0x7A, 0xBD, 0x00, 0x00, 0x00, 0x02],
    ]
    /// The headers with which sections of a DV stream begin.
    private static let sections: [[UInt8]] = [
        [0x1F, 0x07, 0x00, 0x3F], [0x1F, 0x07, 0x00, 0xBF], [0xFF, 0x3F, 0x07, 0x01],
    ]
    private static let (leastSections, leastLike) = (3, 10)
    /// The most bytes that a program looks at before it looks at more; each smaller number is possible.
    private static let firstLength = 4096
    private static let sync: UInt8 = 0x47
    private static let (leastPackets, mostSyncs) = (5, 100)
    /// The fewest of these that a transport stream has that FFmpeg recognises: seven of ten packets.
    private static let leastSyncs = 4
    private static let searchedByGStreamer = 10 * 208 * 4
}

/// The units after start codes.
///
/// A stream has its own kinds of units from the start. If another unit comes first, the stream is not of that format.
private struct StartCodes {
    private var kinds: Set<UInt8> = []
    /// Whether sequences were found of H.264 with a known profile, of AVS, and of VC-1.
    private var (hasAdvanced, hasAVS, hasVC1) = (false, false, false)
    /// The number of sequences, pictures and slices of MPEG-1 or MPEG-2.
    private var (sequenceCount, pictureCount, sliceCount) = (0, 0, 0)
    /// Whether a unit was found that excludes H.264 and HEVC, MPEG-4, and MPEG-1 and MPEG-2.
    private var (isNoAdvanced, isNoMPEG4, isNoMPEG) = (false, false, false)
    /// The kinds of units in HEVC's first layer.
    private var efficient: Set<UInt8> = []
    private var hasPack = false

    /// Notes the unit after a start code.
    ///
    /// - Parameters:
    ///   - kind: the first byte after the start code.
    ///   - content: up to eight bytes after `kind`.
    mutating func note(kind: UInt8, _ content: ArraySlice<UInt8>) {
        let next = content.first ?? 0
        kinds.insert(kind)
        if kind & 0x80 != 0 { isNoAdvanced = true }
        if kind & 0x9F == 7, Self.profiles.contains(next) { hasAdvanced = true }
        // HEVC units must name the first layer and a temporal layer; sample sizes in a movie look like units without.
        if (1...7).contains(next) { efficient.insert(kind) }
        if (0x30...0xAF).contains(kind) || (0xB7...0xB9).contains(kind) || kind >= 0xC4 { isNoMPEG4 = true }
        if kind == 0xB6 || (0xC0...0xDF).contains(kind) { isNoMPEG = true }
        if kind == 0x00 { pictureCount += 1 }
        if (0x01...0xAF).contains(kind) { sliceCount += 1 }
        if kind == 0xB3, Self.isMPEGSequence(Array(content)) { sequenceCount += 1 }
        if kind == 0xB0, Self.profilesOfAVS.contains(next) { hasAVS = true }
        // These bits mark the advanced profile of VC-1 with 4:2:0 colours.
        if kind == 0x0F, next & 0xC6 == 0xC2 { hasVC1 = true }
        // These bits mark the header of a pack in a program stream.
        if kind == 0xBA, next & 0xC4 == 0x44 || next & 0xF1 == 0x21 { hasPack = true }
    }

    /// Whether the units so far are those of a stream.
    var makeVideo: Bool {
        // A stream needs the parameters of a sequence and of a picture; HEVC also needs those of the whole video.
        if !isNoAdvanced,
            hasAdvanced && kinds.contains(where: { $0 & 0x9F == 8 }) || efficient.isSuperset(of: [0x40, 0x42, 0x44])
        {
            return true
        }
        if !isNoMPEG4, kinds.contains(0xB6), kinds.contains(where: { (0x20...0x2F).contains($0) || $0 == 0xB0 }) {
            return true
        }
        // FFmpeg wants a picture for each sequence, and a slice for each picture, but for a tenth.
        if sequenceCount > 0, !isNoMPEG, pictureCount > 1, sequenceCount * 9 <= pictureCount * 10,
            pictureCount * 9 <= sliceCount * 10
        {
            return true
        }
        return hasAVS && kinds.contains(0xB3) || hasVC1 && (kinds.contains(0x0D) || kinds.contains(0x0E))
            || hasPack && kinds.contains { $0 == 0xBD || (0xC0...0xEF).contains($0) }
    }

    /// Returns whether the header of a sequence has a width, a pixel shape, a frame rate, and the marker bit.
    private static func isMPEGSequence(_ content: [UInt8]) -> Bool {
        content.count >= 7 && (content[0] > 0 || content[1] > 0x0F) && content[3] >> 4 > 0
            && (1...8).contains(content[3] & 15) && content[6] & 0x20 != 0
    }

    /// The profiles of H.264; source: ITU-T H.264, annex A and G to I.
    private static let profiles: Set<UInt8> = [44, 66, 77, 83, 86, 88, 100, 110, 118, 122, 128, 244]
    /// The profiles of AVS; source: GB/T 20090.2 and GB/T 33475.2.
    private static let profilesOfAVS: Set<UInt8> = [0x12, 0x20, 0x22, 0x30, 0x32, 0x48]
}

/// The pictures of H.261, which may begin at any bit, and of H.263.
private struct TelephonyPictures {
    /// How many H.261 groups of blocks came in order, and how many out of order.
    private var (orderedCount, strayCount) = (0, 0)
    /// The number of the expected group, and whether the picture has twelve groups instead of three.
    private var (nextGroup, isLarge) = (0, false)
    /// How many H.263 picture headers were valid, and how many picture codes and groups had no valid header.
    private var (validCount, invalidCount) = (0, 0)
    /// The number of the last H.263 group of blocks, and how often the size changed from one picture to the next.
    private var (lastGroup, lastSize, changeCount) = (0, 0, 0)

    /// Whether the pictures so far are those of a stream.
    var makeVideo: Bool {
        orderedCount > 2 * strayCount + Self.mostOrderedChances
            || validCount > 2 * invalidCount + 2 * changeCount + Self.mostChances
    }

    mutating func note(_ bytes: [UInt8], at place: Int) {
        noteGroup(bytes, at: place)
        if bytes[place] == 0, bytes[place + 2] & 0x80 != 0, place + 4 < bytes.count { notePicture(bytes, at: place) }
    }

    /// Notes the start of a group of blocks: fifteen zeros, a one, and the group's number, which is 0 for a picture.
    ///
    /// Source: ITU-T H.261, sections 4.2.1 and 4.2.2.
    private mutating func noteGroup(_ bytes: [UInt8], at place: Int) {
        let (before, behind) = (bytes[place], bytes[place + 2])
        // In a longer run of zeros, only the last zero byte counts.
        guard behind != 0, min(before.trailingZeroBitCount, 8) + 8 + behind.leadingZeroBitCount >= 15 else { return }
        guard let word: UInt32 = bytes.bigEndian(at: place + 2) else { return }
        let bits = word << UInt32(behind.leadingZeroBitCount + 1)
        let group = Int(bits >> 28)
        // After the number, a picture has a time of five bits and six flags; the fourth flag gives the size.
        if group == 0 { isLarge = bits >> 19 & 1 == 1 }
        if group == nextGroup { orderedCount += 1 } else { strayCount += 1 }
        nextGroup = isLarge ? (group + 1) % 13 : group == 0 ? 1 : group == 5 ? 0 : group + 2
    }

    /// Notes a picture of H.263, or a group of its blocks.
    ///
    /// After its code and a time, a picture has marker bits and the source format. Its groups have rising numbers.
    ///
    /// Source: ITU-T H.263, sections 5.1 and 5.2; the behaviour of FFmpeg 5.1 (libavformat/h263dec.c).
    private mutating func notePicture(_ bytes: [UInt8], at place: Int) {
        guard bytes[place + 2] & 0xFC == 0x80 else {
            let group = Int(bytes[place + 2] >> 2 & 0x1F)
            if group < lastGroup { invalidCount += 1 } else { lastGroup = group }
            return
        }
        let size = Int(bytes[place + 4] >> 2 & 7)
        if size != lastSize, (1...5).contains(lastSize), size < 6 { changeCount += 1 }
        lastSize = size
        if bytes[place + 3] & 3 == 2, size != 0 {
            (validCount, lastGroup) = (validCount + 1, 0)
        } else {
            invalidCount += 1
        }
    }

    /// How many groups and pictures ordinary bytes may contain by chance.
    private static let (mostOrderedChances, mostChances) = (6, 3)
}
