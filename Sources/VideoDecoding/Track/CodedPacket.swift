// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A packet, and the units that it is made of.
///
/// Of each unit it has at most the first 4,096 bytes, without the start code or length before it.
struct CodedPacket {
    let bytes: [UInt8]
    /// Always plain where the codec is neither H.264 nor HEVC.
    let shape: Shape
    let units: [[UInt8]]
    /// Units that a decoder may find as well in an odd packet.
    let otherUnits: [[UInt8]]

    /// How well it is known which units a decoder finds in a packet.
    enum Shape {
        case plain
        /// Lengths do not fit, or there are start codes in units, where FFmpeg looks for them as well.
        case odd
        /// Decoders may go on otherwise behind the packet.
        case misleading
    }
}
