// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The pieces of the colour profile in a JPEG file.
///
/// libvips drops more than a hundred pieces without an error. Source: ICC.1:2022, annex B.4.
struct JPEGProfilePieces {
    private var numbers: [UInt8] = []
    private var counts: Set<UInt8> = []

    /// - Parameter content: the first bytes of an APP2 segment.
    mutating func add(_ content: [UInt8]) {
        guard content.count >= 14, content.hasText("ICC_PROFILE", at: 0), content[11] == 0 else { return }
        numbers.append(content[12])
        counts.insert(content[13])
    }

    /// Checks that every piece is there once.
    ///
    /// - Throws: `ambiguousRendering` if a piece is missing or repeated, or there are too many.
    func check() throws(DecodingFailure) {
        guard !numbers.isEmpty else { return }
        let isComplete = numbers.count < 100 && numbers.sorted().map(Int.init) == Array(1...numbers.count)
        guard isComplete, counts == [UInt8(numbers.count)] else {
            throw DecodingFailure(.unfittingProfilePieces, .jpeg)
        }
    }
}
