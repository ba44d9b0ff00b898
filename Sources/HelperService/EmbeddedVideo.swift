// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// The video that a phone puts into the file of a photograph, as a "motion photo".
///
/// Sources: "Motion Photo format 1.0" (developer.android.com), for the box `mpvd`; it leaves a video behind a JPEG to
/// metadata, which programs obey differently, so it is found by its own beginning.
package enum EmbeddedVideo {
    /// The bytes of the video in a file of pictures; nil where there is none.
    ///
    /// - Throws: what is wrong with the structure of the file; `ambiguousRendering` where there are several videos.
    package static func part(of file: InputFile, _ format: MediaFormat) throws(DecodingFailure) -> Range<Int>? {
        switch format {
        case .jpeg: return try JPEGStructure(file).video.map { $0..<file.byteCount }
        case .heic, .avif:
            var reader = MediaBoxes(file, maximumCount: mostBoxes)
            return try part(in: try reader.boxes(in: 0..<file.byteCount))
        default: return nil
        }
    }

    /// - Parameter boxes: the boxes of a HEIF or AVIF file that are in no other.
    package static func part(in boxes: [MediaBoxes.Box]) throws(DecodingFailure) -> Range<Int>? {
        let videos = boxes.filter { $0.name == "mpvd" }
        guard let video = videos.first else { return nil }
        guard videos.count == 1, video.isWhole, !boxes.contains(where: { $0.name == "moov" || $0.name == "moof" })
        else {
            throw DecodingFailure(.ambiguousRendering, detail: "several videos beside the picture")
        }
        return video.content
    }

    private static let mostBoxes = 10_000
}
