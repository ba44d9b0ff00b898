// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
package import HelperProtocol
package import HelperService
package import MediaInspection

/// Decodes videos with FFmpeg, in a process of its own.
package struct VideoDecoder: MediaDecoder {
    /// Little, so that what a long file needs while it is opened goes back to the system.
    ///
    /// FFmpeg keeps the memory of frames itself.
    package static let largestReusedBlock = 1 << 20

    package init() {
        CFFmpegShims_start()
    }

    package var library: String {
        let version = avcodec_version()
        return "FFmpeg, libavcodec \(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }

    package func picture(
        in file: InputFile, _ format: MediaFormat, _ request: ImageRequest
    ) throws(DecodingFailure) -> FileAnswer<RenderedPicture> {
        .content(format == .video ? .video : .pictures)
    }

    package func openMedia(
        _ file: InputFile, _ format: MediaFormat, _ request: MediaRequest
    ) throws(DecodingFailure) -> FileAnswer<any MediaSession> {
        try request.limits.checkFile(byteCount: file.byteCount, isVideo: !request.isImageSequence)
        // A picture file is the other decoder's, until that one says that it holds more.
        guard format == .video || request.isImageSequence else { return .content(.pictures) }
        var (file, format) = (file, format)
        if request.isImageSequence, let part = try EmbeddedVideo.part(of: file, format) {
            (file, format) = (file.part(part), .video)
        }
        guard let demuxer = Demuxer(format: format, prefix: try file.prefix()) else {
            throw DecodingFailure(.unsupportedContainer)
        }
        return .value(try VideoSession(file, format, demuxer, request))
    }
}
