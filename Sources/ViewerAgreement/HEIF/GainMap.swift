// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The gain maps among the items of a HEIF or AVIF file.
enum GainMap {
    /// Checks that no gain map changes its picture on an ordinary display.
    ///
    /// Source: ISO/IEC 23008-12:2025, "tmap".
    ///
    /// - Throws: `ambiguousRendering` if a gain map does, `unreadable`.
    static func check(_ items: ItemBoxes, in file: InputFile) throws(DecodingFailure) {
        for (number, item) in items.items where item.type == "tmap" {
            let parts = items.parts[number] ?? []
            // The first byte is the version of the item.
            let bytes = try parts.first.map { part throws(DecodingFailure) in
                try file.bytes(at: part.lowerBound, count: min(64, part.count))
            }
            guard parts.count == 1, let bytes, bytes.first == 0, GainMapMetadata.isOrdinary(Array(bytes.dropFirst()))
            else {
                throw DecodingFailure(.gainMap)
            }
        }
    }
}
