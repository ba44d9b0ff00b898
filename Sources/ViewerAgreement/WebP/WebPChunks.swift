// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The facts in the chunks of a WebP file that decoding does not report: opacity, and removed frames.
///
/// Source: RFC 9649, sections 2.7 and 3.4.
package struct WebPChunks: ViewerStructure {
    /// The flags of all frames that are removed before the next one is drawn, except those of the last frame.
    private var disposals: [Disposal] = []
    /// Whether the header announces no opacity although the coded data may have it.
    ///
    /// Pillow obeys the coded data, but libvips obeys the header.
    private var hasUnannouncedAlpha = false
    private var flags: UInt8?
    /// Whether there is a lossy picture, in which pixels share colours.
    package private(set) var isLossy = false
    /// The bytes of lossless pictures whose flag denies opacity; FFmpeg and Chromium obey the pixels instead.
    private var deniedAlpha: [(position: Int, byte: UInt8)] = []

    /// A frame that is removed before the next one is drawn.
    private struct Disposal {
        /// The position of its flags, in bytes.
        let position: Int
        let flags: UInt8
        /// Whether the coded data announce opacity.
        let hasAlpha: Bool
    }

    /// - Throws: `unreadable`, `tooManyParts`.
    package init(_ file: InputFile) throws(DecodingFailure) {
        var position = Self.headerSize
        var (pending, count): (Disposal?, Int) = (nil, 0)
        while case let header = try file.bytes(at: position, count: Self.neededBytes),
            let size = header.littleEndian(at: 4, as: UInt32.self)
        {
            count += 1
            guard count <= Self.mostChunks else {
                throw DecodingFailure(
                    .tooManyParts, format: .webp, value: UInt64(count), bound: UInt64(Self.mostChunks),
                    detail: "chunks")
            }
            if position == Self.headerSize, header.hasText("VP8X", at: 0), header.count > 8 { flags = header[8] }
            if header.hasText("VP8 ", at: 0) { isLossy = true }
            note(alphaOf: header, at: position)
            if header.hasText("ANMF", at: 0), header.count >= Self.chunkHeaderSize + Self.frameHeaderSize {
                if let pending { disposals.append(pending) }
                let place = Self.chunkHeaderSize + Self.frameHeaderSize - 1
                let coded = Array(header[(place + 1)...])
                pending =
                    header[place] & Self.disposes == 0
                    ? nil : Disposal(position: position + place, flags: header[place], hasAlpha: Self.hasAlpha(coded))
                note(alphaOf: coded, at: position + place + 1)
            }
            // Chunks are padded to an even size.
            position += Self.chunkHeaderSize + Int(size) + Int(size & 1)
        }
    }

    /// Notes opacity that a chunk does not announce.
    ///
    /// - Parameters:
    ///   - bytes: the beginning of the chunk.
    ///   - position: the position of the chunk in the file, in bytes.
    private mutating func note(alphaOf bytes: [UInt8], at position: Int) {
        let lossless = Self.losslessFlags(of: bytes)
        if let lossless, lossless & Self.hasAlphaInLossless == 0 {
            deniedAlpha.append((position + Self.losslessFlagsPosition, lossless))
        }
        guard let flags, flags & Self.hasAlpha == 0, lossless != nil || bytes.hasText("ALPH", at: 0) else { return }
        hasUnannouncedAlpha = true
    }

    /// The byte changes that make the headers announce all possible opacity; nil if they already do.
    package var part: FilePart? {
        var replacements = deniedAlpha.map { ($0.position, [$0.byte | Self.hasAlphaInLossless]) }
        if let flags, hasUnannouncedAlpha {
            replacements.append((Self.headerSize + Self.chunkHeaderSize, [flags | Self.hasAlpha]))
        }
        return replacements.isEmpty ? nil : FilePart(replacements: replacements)
    }

    /// Returns whether the beginning of a frame's data announces opacity.
    private static func hasAlpha(_ coded: [UInt8]) -> Bool {
        coded.hasText("ALPH", at: 0) || losslessFlags(of: coded).map { $0 & hasAlphaInLossless != 0 } == true
    }

    /// Returns the byte of a lossless picture that has the opacity flag; nil for other chunks.
    ///
    /// - Parameter bytes: the beginning of a chunk.
    private static func losslessFlags(of bytes: [UInt8]) -> UInt8? {
        bytes.hasText("VP8L", at: 0) && bytes.count > losslessFlagsPosition ? bytes[losslessFlagsPosition] : nil
    }

    /// The byte changes that produce each viewer's rendering of an animation; nil for the unchanged file.
    ///
    /// Some viewers keep frames that should be removed. Qt keeps such frames only if they have no opacity.
    package var renderings: [FilePart?] {
        let opaque = disposals.filter { !$0.hasAlpha }
        let kept =
            disposals.isEmpty
            ? [] : opaque.isEmpty || opaque.count == disposals.count ? [disposals] : [disposals, opaque]
        return [part]
            + kept.map { kept in
                var part = part ?? FilePart()
                part.replacements += kept.map { ($0.position, [$0.flags & ~Self.disposes]) }
                return part
            }
    }

    /// The flag of a frame that is replaced with the background.
    private static let disposes: UInt8 = 1
    /// The flag of a file with opacity.
    private static let hasAlpha: UInt8 = 0x10
    private static let hasAlphaInLossless: UInt8 = 0x10
    /// The flag byte follows the chunk's header, a signature, and the lower bits of two lengths of 14 bits.
    private static let losslessFlagsPosition = 12

    private static let mostChunks = 100_000
    private static let headerSize = 12
    private static let chunkHeaderSize = 8
    private static let frameHeaderSize = 16
    /// The size of the headers of a frame and of its first chunk, and of the first bytes of its data.
    private static let neededBytes = 2 * chunkHeaderSize + frameHeaderSize + 5
}
