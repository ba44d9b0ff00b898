// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

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
