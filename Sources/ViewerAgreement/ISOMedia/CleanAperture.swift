// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The clean aperture of a sample description: the part of each frame that players show.
///
/// FFmpeg 5.1 shows whole frames instead, so a small aperture is a disagreement. Source: ISO/IEC 14496-12, section 12.1.4.
enum CleanAperture {
    /// Whether a sample description cuts off more than the edges that codecs add.
    ///
    /// - Parameters:
    ///   - boxes: the boxes of the sample description.
    ///   - isMovie: whether the file is a movie. In a picture sequence, every clean aperture counts.
    static func cutsOff(
        in description: MediaBoxes.Box, boxes: [MediaBoxes.Box], _ file: InputFile, isMovie: Bool
    ) throws(DecodingFailure) -> Bool {
        let start = description.content.lowerBound
        guard let aperture = boxes.first(where: { $0.name == "clap" }) else { return false }
        let header = try file.bytes(at: start + sizePosition, count: 4)
        let numbers = try file.bytes(at: aperture.content.lowerBound, count: min(32, aperture.content.count))
        guard isMovie, header.count == 4, numbers.count == 32 else { return true }
        for axis in 0..<2 {
            let length = Double(header.bigEndian(at: axis * 2, as: UInt16.self) ?? 0)
            let kept = Double(numbers.bigEndian(at: axis * 8, as: UInt32.self) ?? 0)
            let parts = Double(numbers.bigEndian(at: axis * 8 + 4, as: UInt32.self) ?? 0)
            // A division by 0 counts as cutting off everything.
            guard parts > 0, kept / parts >= length * leastKept else { return true }
        }
        return false
    }

    /// The position of the width and the height in a sample description, in bytes.
    private static let sizePosition = 24
    /// The least share that players must show: codecs code 1088 rows for 1080, and old formats have noisy edges.
    private static let leastKept = 15.0 / 16
}
