// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// The frames of an animated WebP file, found by its chunks without decoding.
///
/// Source: RFC 9649, section 2.7.1.
struct WebPFrames {
    /// The bytes of flags of all frames that are taken away before the next one is drawn, except that of the last frame.
    private(set) var disposals: [(position: Int, byte: UInt8)] = []

    /// - Throws: `unreadable`, `tooManyParts`.
    init(_ file: InputFile) throws(DecodingFailure) {
        var position = Self.headerSize
        var (pending, count): ((position: Int, byte: UInt8)?, Int) = (nil, 0)
        while case let header = try file.bytes(at: position, count: 8 + Self.frameHeaderSize),
            let size = header.littleEndian(at: 4, as: UInt32.self)
        {
            count += 1
            guard count <= Self.mostChunks else {
                throw DecodingFailure(
                    .tooManyParts, format: .webp, value: UInt64(count), bound: UInt64(Self.mostChunks),
                    detail: "chunks")
            }
            if header.hasText("ANMF", at: 0), header.count == 8 + Self.frameHeaderSize {
                if let pending { disposals.append(pending) }
                let place = 8 + Self.frameHeaderSize - 1
                pending = header[place] & Self.disposes == 0 ? nil : (position + place, header[place])
            }
            // Chunks have an even size.
            position += 8 + Int(size) + Int(size & 1)
        }
    }

    /// The flag of a frame that the background replaces.
    static let disposes: UInt8 = 1

    private static let mostChunks = 100_000
    private static let headerSize = 12
    private static let frameHeaderSize = 16
}
