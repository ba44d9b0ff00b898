// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// An encoded packet and the units in it, such as the NAL units of H.264 and HEVC.
///
/// Each unit holds at most its first 4,096 bytes, without the start code or length before it.
package struct CodedPacket {
    let bytes: [UInt8]
    /// Whether all decoders find the same units; always plain if the codec is neither H.264 nor HEVC.
    package let shape: Shape
    package let units: [[UInt8]]
    /// Further units that a decoder may find behind start codes, if the units behind lengths are not plain.
    let otherUnits: [[UInt8]]

    /// Whether decoders find no other units than these.
    package var isPlain: Bool { shape == .plain || shape == .wrapped }

    /// Whether every decoder finds the same units in a packet.
    package enum Shape {
        case plain
        /// All units of H.264 lie behind start codes in a single unit, the prefix of a temporal layer.
        ///
        /// Samsung's phones write slow motion so. Decoders find the units inside, or show nothing of the packet.
        case wrapped
        /// Lengths do not fit, or units contain start codes, which FFmpeg also looks for.
        case odd
        /// Decoders may read the following packets differently.
        case misleading
    }
}
