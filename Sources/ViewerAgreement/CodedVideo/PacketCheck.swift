// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds packets of VP8, VP9 and DV that FFmpeg shows differently from other decoders, such as libvpx in browsers.
package enum PacketCheck {
    /// Whether FFmpeg and another decoder may show a packet differently.
    ///
    /// - Parameter bytes: returns `count` bytes of the packet from `position` on, or fewer at its end.
    package static func hasDisagreement(
        byteCount: Int, of codec: VideoCodec?, _ bytes: (_ position: Int, _ count: Int) -> [UInt8]
    ) -> Bool {
        switch codec {
        case .vp8, .vp8WithOpacity: VP8Header.exchangesReferences(bytes(0, VP8Header.mostBytes))
        case .dv: DVFrames.hasOtherSize(byteCount: byteCount, bytes)
        case .vp9, .vp9WithOpacity: hidesFrame(byteCount: byteCount, bytes)
        default: false
        }
    }

    /// Whether a VP9 packet may hold a frame outside of its index, which FFmpeg passes over and libvpx shows.
    ///
    /// Source: VP9 bitstream and decoding process specification, section 6.2 and annex B.
    ///
    /// - Parameter bytes: returns `count` bytes of the packet from `position` on, or fewer at its end.
    static func hidesFrame(byteCount: Int, _ bytes: (_ position: Int, _ count: Int) -> [UInt8]) -> Bool {
        guard byteCount > 0, let first = bytes(0, 1).first, let last = bytes(byteCount - 1, 1).first else {
            return false
        }
        let (frameCount, size) = (Int(last & 7) + 1, Int(last >> 3 & 3) + 1)
        let indexSize = 2 + frameCount * size
        let index = bytes(byteCount - indexSize, indexSize)
        if last & 0xE0 == 0xC0, index.count == indexSize, index.first == last {
            var sum = indexSize
            for frame in 0..<frameCount {
                for place in 0..<size { sum += Int(index[1 + frame * size + place]) << (8 * place) }
            }
            return sum != byteCount
        }
        // A packet that shows an earlier frame again is a header alone.
        let isProfile3 = first & 0x30 == 0x30
        let showsAnother = first & (isProfile3 ? 4 : 8) != 0
        return first & 0xC0 == 0x80 && showsAnother && byteCount > (isProfile3 ? 2 : 1)
    }
}
