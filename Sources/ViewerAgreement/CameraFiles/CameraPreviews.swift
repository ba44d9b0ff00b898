// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// A search for JPEG pictures at any position of a file.
///
/// Cameras name the places of previews in private ways, so a picture counts by its own header.
struct CameraPreviews {
    /// The starts of the pictures, in bytes.
    private(set) var starts: [Int] = []

    /// - Throws: `unreadable`, `tooManyParts`.
    init(_ file: InputFile) throws(DecodingFailure) {
        var (candidateCount, searchedCount) = (0, 0)
        try JPEGStructure.forEachPlace(in: file, from: 0, &searchedCount) { bytes, position throws(DecodingFailure) in
            guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return true }
            candidateCount += 1
            guard candidateCount <= Self.mostCandidates else {
                throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostCandidates), detail: "previews")
            }
            if try Self.hasPicture(file, at: position) { starts.append(position) }
            return true
        }
    }

    /// Returns whether the segments behind a start marker lead to a frame that is not lossless, and to a scan.
    private static func hasPicture(_ file: InputFile, at start: Int) throws(DecodingFailure) -> Bool {
        var position = start + 2
        var hasFrame = false
        for _ in 0..<mostSegments {
            let header = try file.bytes(at: position, count: 4)
            guard header.count == 4, header[0] == 0xFF, let length: UInt16 = header.bigEndian(at: 2) else {
                return false
            }
            switch header[1] {
            // Baseline, extended and progressive. Raw pictures are lossless.
            case 0xC0, 0xC1, 0xC2: hasFrame = true
            case 0xDA: return hasFrame
            case 0xC4, 0xDB, 0xDD, 0xE0...0xEF, 0xFE: break
            case 0xFF:
                position += 1
                continue
            default: return false
            }
            position += 2 + Int(length)
        }
        return false
    }

    private static let mostCandidates = 10_000
    private static let mostSegments = 200
}
