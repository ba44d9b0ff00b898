// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Finds the frames of an animated PNG that are removed again, so the picture before the frame returns.
///
/// Pillow leaves the frames before such a frame in place. Source: "Portable Network Graphics (PNG) Specification (Third
/// Edition)", section 11.3.6.2.
package struct PNGDisposals {
    /// The patches that keep all frames in place; empty if no frame is removed in this way.
    package private(set) var patches: [FilePatch] = []

    /// - Throws: `unreadable`, `tooManyParts`.
    package init(_ file: InputFile) throws(DecodingFailure) {
        var position = Self.signatureSize
        for _ in 0..<Self.mostChunks {
            let header = try file.bytes(at: position, count: 8)
            guard header.count == 8, let length = header.bigEndian(at: 0, as: UInt32.self) else { return }
            if header.hasText("fcTL", at: 4), length == Self.controlSize {
                var control = try file.bytes(at: position + 4, count: 4 + Self.controlSize)
                let place = 4 + Self.disposalOffset
                if control.count == 4 + Self.controlSize, control[place] == Self.bringsBack {
                    control[place] = Self.leaves
                    let checksum = unsafe withUnsafeBytes(of: PNGChunks.checksum(of: control).bigEndian) {
                        unsafe Array($0)
                    }
                    patches.append(FilePatch(position: position + 4 + place, bytes: control[place...] + checksum))
                }
            }
            position += 12 + Int(length)
        }
        throw DecodingFailure(.tooManyParts, format: .png, bound: UInt64(Self.mostChunks), detail: "chunks")
    }

    /// The most chunks of a file, which is also the bound of the image decoder.
    private static let mostChunks = 1_000_000
    private static let signatureSize = 8
    private static let controlSize = 26
    private static let disposalOffset = 24
    private static let leaves: UInt8 = 0
    private static let bringsBack: UInt8 = 2
}
