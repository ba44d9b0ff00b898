// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The video of a "motion photo", which a phone puts into the file of a photograph.
///
/// Source for the box `mpvd`: "Motion Photo format 1.0" (developer.android.com). In a JPEG file, metadata locate the
/// video. Programs obey these differently, so the video is found by its own beginning.
package enum EmbeddedVideo {
    /// Returns the range of the video among the outermost boxes of a HEIF or AVIF file; nil if there is none.
    package static func part(in boxes: [MediaBoxes.Box]) throws(DecodingFailure) -> Range<Int>? {
        let videos = boxes.filter { $0.name == "mpvd" }
        guard let video = videos.first else { return nil }
        guard videos.count == 1, video.isWhole, !boxes.contains(where: { $0.name == "moov" || $0.name == "moof" })
        else {
            throw DecodingFailure(.severalEmbeddedVideos)
        }
        // An empty box holds nothing that a program could show.
        return video.content.isEmpty ? nil : video.content
    }
}
