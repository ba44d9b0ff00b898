// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The boxes of a JPEG XL file.
package enum JPEGXLBoxes {
    /// Checks that the file has no boxes from which another program could show something else, such as a movie.
    ///
    /// Some programs restore a JPEG from the box "jbrd" and show it. The markers and scans of that JPEG can give the
    /// same coefficients other colours, so the JPEG is judged as well.
    ///
    /// Source: ISO/IEC 18181-2, section 9.
    ///
    /// - Returns: whether the file was made of a JPEG, which can be restored.
    package static func check(_ file: InputFile) throws(DecodingFailure) -> Bool {
        guard try file.bytes(at: 4, count: 4).hasText("JXL ", at: 0) else { return false }
        var reader = MediaBoxes(file, maximumCount: mostBoxes)
        let boxes = try reader.boxes(in: 0..<file.byteCount)
        guard !reader.isExhausted, boxes.allSatisfy({ names.contains($0.name) }) else {
            throw DecodingFailure(.foreignBoxes, .jpegXL)
        }
        let count = boxes.count { $0.name == "jbrd" }
        guard count <= 1 else { throw DecodingFailure(.dataOfJPEG, .jpegXL) }
        return count == 1
    }

    private static let names: Set = [
        "JXL ", "ftyp", "jxll", "jxlc", "jxlp", "jxli", "jbrd", "jhgm", "Exif", "xml ", "jumb", "brob",
    ]
    private static let mostBoxes = 10_000
}
