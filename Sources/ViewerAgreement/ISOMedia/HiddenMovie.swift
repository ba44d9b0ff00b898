// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Finds movies in boxes in which only FFmpeg looks for them.
package enum HiddenMovie {
    /// Returns whether one of the boxes holds a movie.
    ///
    /// - Parameters:
    ///   - boxes: outermost boxes of the file.
    ///   - hasMovie: whether the file has a movie in its usual place; if not, FFmpeg also reads one in a free box.
    /// - Throws: `unreadable`.
    package static func isIn(
        _ boxes: some Sequence<MediaBoxes.Box>, of file: InputFile, hasMovie: Bool
    ) throws(DecodingFailure) -> Bool {
        for box in boxes {
            if !hasMovie, box.name == "free" || box.name == "hoov" {
                let bytes = try file.bytes(at: box.content.lowerBound, count: min(8, box.content.count))
                if bytes.hasText("mvhd", at: 4) || bytes.hasText("cmov", at: 4) { return true }
            }
            guard !plainBoxes.contains(box.name) else { continue }
            let bytes = try file.bytes(at: box.content.lowerBound, count: min(box.content.count, mostSearchedBytes))
            if bytes.hasWord(in: hasMovie ? movies : movies.union(parts)) { return true }
            if box.content.count > mostSearchedBytes, containers.contains(box.name) { return true }
        }
        return false
    }

    private static let mostSearchedBytes = 1 << 20
    private static let movies: Set = ["moov", "hoov", "cmov"]
    /// The boxes of a movie that FFmpeg reads anywhere if the file has no movie in its usual place.
    private static let parts: Set = ["mvhd", "trak"]

    /// The boxes in which FFmpeg looks for further boxes, besides those in a movie.
    private static let containers: Set<String> = [
        "udta", "meta", "edts", "mdia", "minf", "stbl", "dinf", "mvex", "moof", "traf", "trak", "ilst", "wave", "sinf",
        "schi", "tref", "iprp", "jp2h",
    ]

    /// The boxes in which FFmpeg looks for no further boxes.
    ///
    /// The video of a motion photo, `mpvd`, is judged as a file of its own.
    private static let plainBoxes: Set<String> = [
        "ftyp", "styp", "free", "skip", "wide", "mdat", "pdin", "sidx", "ssix", "emsg", "prft", "pnot", "PICT", "uuid",
        "mpvd",
    ]
}

extension [UInt8] {
    /// Returns whether one of the box names stands at any position.
    package func hasWord(in names: Set<String>) -> Bool {
        let words = Set(names.map { $0.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } })
        var word: UInt32 = 0
        for byte in self {
            word = word << 8 | UInt32(byte)
            if words.contains(word) { return true }
        }
        return false
    }
}
