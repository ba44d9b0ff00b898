// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Checks an animated PNG for colour information that FFmpeg ignores and browsers apply.
///
/// Source: "Portable Network Graphics (PNG) Specification (Third Edition)", sections 5.3 and 11.3.2.
package struct PNGColors {
    package private(set) var haveDisagreement = false

    /// - Throws: `unreadable`.
    package init(_ file: InputFile) throws(DecodingFailure) {
        var position = 8
        // Colour information comes before the first picture.
        for _ in 0..<Self.mostChunks {
            let header = try file.bytes(at: position, count: 12)
            guard header.count == 12, let length = header.bigEndian(at: 0, as: UInt32.self) else { return }
            switch String(decoding: header[4..<8], as: UTF8.self) {
            case "IDAT", "IEND": return
            case "iCCP", "cICP": haveDisagreement = true
            case "gAMA":
                let gamma = header.bigEndian(at: 8, as: UInt32.self) ?? 0
                if !Self.ordinaryGamma.contains(gamma) { haveDisagreement = true }
            default: break
            }
            position += 12 + Int(length)
        }
        haveDisagreement = true
    }

    private static let mostChunks = 10_000
    /// The range around the gamma of ordinary displays, 1/2.2, in units of 1/100,000.
    private static let ordinaryGamma: ClosedRange<UInt32> = 43_000...48_000
}
