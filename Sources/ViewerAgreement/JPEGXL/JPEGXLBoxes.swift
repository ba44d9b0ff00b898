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
        guard try isOrdered(boxes, in: file) else { throw DecodingFailure(.disorderedCodestream, .jpegXL) }
        let count = boxes.count { $0.name == "jbrd" }
        guard count <= 1 else { throw DecodingFailure(.dataOfJPEG, .jpegXL) }
        return count == 1
    }

    /// Whether the file has one codestream, in one box or in numbered parts of which the last is marked.
    private static func isOrdered(_ boxes: [MediaBoxes.Box], in file: InputFile) throws(DecodingFailure) -> Bool {
        let parts = boxes.filter { $0.name == "jxlp" }
        guard boxes.count(where: { $0.name == "jxlc" }) == (parts.isEmpty ? 1 : 0) else { return false }
        for (number, part) in parts.enumerated() {
            let head = try file.bytes(at: part.content.lowerBound, count: min(4, part.content.count))
            let mark: UInt32 = number == parts.count - 1 ? 0x8000_0000 : 0
            guard head.bigEndian(at: 0) == UInt32(number) | mark else { return false }
        }
        return true
    }

    private static let names: Set = [
        "JXL ", "ftyp", "jxll", "jxlc", "jxlp", "jxli", "jbrd", "jhgm", "Exif", "xml ", "jumb", "brob",
    ]
    private static let mostBoxes = 10_000
}
