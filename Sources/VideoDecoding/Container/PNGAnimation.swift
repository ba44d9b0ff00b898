// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import MediaInspection

/// Tells whether an animated PNG says of its colours what FFmpeg leaves out and browsers obey.
///
/// Source: "Portable Network Graphics (PNG) Specification (Third Edition)", sections 5.3 and 11.3.2.
struct PNGColors {
    private(set) var areDoubtful = false

    /// - Throws: `unreadable`.
    init(_ file: InputFile) throws(DecodingFailure) {
        var position = 8
        // What is said of colours stands before the first picture.
        for _ in 0..<Self.mostChunks {
            let header = try file.bytes(at: position, count: 12)
            guard header.count == 12, let length = header.bigEndian(at: 0, as: UInt32.self) else { return }
            switch String(decoding: header[4..<8], as: UTF8.self) {
            case "IDAT", "IEND": return
            case "iCCP", "cICP": areDoubtful = true
            case "gAMA":
                let gamma = header.bigEndian(at: 8, as: UInt32.self) ?? 0
                if !Self.ordinaryGamma.contains(gamma) { areDoubtful = true }
            default: break
            }
            position += 12 + Int(length)
        }
        areDoubtful = true
    }

    private static let mostChunks = 10_000
    /// In 100,000ths, around the 1/2.2 of ordinary displays.
    private static let ordinaryGamma: ClosedRange<UInt32> = 43_000...48_000
}

/// The frames of an animated PNG after which the picture before them has to come back.
///
/// Pillow leaves the frames before such a frame in place. Source: "Portable Network Graphics (PNG) Specification (Third
/// Edition)", section 11.3.6.2.
struct PNGDisposals {
    /// The changes by which all frames stay in place; empty where none is taken away in this way.
    private(set) var patches: [FilePatch] = []

    /// - Throws: `unreadable`, `tooManyParts`.
    init(_ file: InputFile) throws(DecodingFailure) {
        var position = Self.signatureSize
        for _ in 0..<Self.mostChunks {
            let header = try file.bytes(at: position, count: 8)
            guard header.count == 8, let length = header.bigEndian(at: 0, as: UInt32.self) else { return }
            if header.hasText("fcTL", at: 4), length == Self.controlSize {
                var control = try file.bytes(at: position + 4, count: 4 + Self.controlSize)
                let place = 4 + Self.disposalOffset
                if control.count == 4 + Self.controlSize, control[place] == Self.bringsBack {
                    control[place] = Self.leaves
                    let checksum = unsafe withUnsafeBytes(of: PNGChecksum.of(control).bigEndian) { unsafe Array($0) }
                    patches.append(FilePatch(position: position + 4 + place, bytes: control[place...] + checksum))
                }
            }
            position += 12 + Int(length)
        }
        throw DecodingFailure(.tooManyParts, format: .png, bound: UInt64(Self.mostChunks), detail: "chunks")
    }

    /// As many as the image decoder accepts.
    private static let mostChunks = 1_000_000
    private static let signatureSize = 8
    private static let controlSize = 26
    private static let disposalOffset = 24
    private static let leaves: UInt8 = 0
    private static let bringsBack: UInt8 = 2
}
