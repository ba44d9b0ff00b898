// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg
internal import CFFmpegShims
package import DecoderProtocol
package import DecoderService

/// Decodes videos with FFmpeg, in a process of its own.
package struct VideoDecoder: MediaDecoder {
    package init() {
        CFFmpegShims_start()
    }

    package var identity: DecoderIdentity {
        let version = avcodec_version()
        return DecoderIdentity(library: "FFmpeg, libavcodec \(version >> 16).\(version >> 8 & 255).\(version & 255)")
    }

    package func picture(
        in file: InputFile, _ request: ImageRequest
    ) throws(DecodingFailure) -> (MediaFormat, RenderedPicture) {
        throw DecodingFailure(.unsupportedFormat)
    }

    package func openMedia(_ file: InputFile, _ request: MediaRequest) throws(DecodingFailure) -> any MediaSession {
        let prefix = try file.bytes(at: 0, count: FormatSniffer.prefixLength)
        guard let format = FormatSniffer.format(of: prefix) else { throw DecodingFailure(.unknownFormat) }
        do throws(DecodingFailure) {
            guard UInt64(file.byteCount) <= request.picture.maximumByteCount else {
                throw DecodingFailure(
                    .tooManyBytes, value: UInt64(file.byteCount), bound: request.picture.maximumByteCount)
            }
            // A picture file is the other decoder's, until that one says that it holds more.
            guard format == .video || request.isImageSequence,
                let demuxer = Demuxer(format: format, prefix: prefix)
            else {
                throw DecodingFailure(.unsupportedFormat)
            }
            return try VideoSession(file, format, demuxer, request)
        } catch {
            var failure = error
            failure.format = format
            throw failure
        }
    }
}
