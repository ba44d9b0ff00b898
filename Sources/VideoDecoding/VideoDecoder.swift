// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
package import DecoderService
package import FileAccess
package import HelperProtocol
package import ViewerAgreement

/// Decodes videos with FFmpeg, in its own process.
package struct VideoDecoder: MediaDecoder {
    /// The size up to which freed blocks of memory are kept for reuse, in bytes.
    ///
    /// It is small, so the memory for opening a long file returns to the system. FFmpeg itself keeps memory for frames.
    package static let largestReusedBlock = 1 << 20

    package init() {
        CFFmpegShims_start()
    }

    package var library: String {
        let version = avcodec_version()
        return "FFmpeg, libavcodec \(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }

    package func open(
        _ file: InputFile, _ format: MediaFormat, _ request: OpenRequest
    ) throws(DecodingFailure) -> FileAnswer<OpenedContent> {
        try request.limits.checkFile(byteCount: file.byteCount, isVideo: request.sequence == nil)
        // The image decoder handles a picture file, unless it reports that the file holds a sequence.
        guard format == .video || request.sequence != nil else { return .content(.pictures) }
        if StillPicture.formats.contains(format) {
            return .value(.session(try StillSession(file, format, request.picture)))
        }
        guard let demuxer = Demuxer(format: format, prefix: try file.prefix()) else {
            throw DecodingFailure(.unsupportedContainer)
        }
        let structure = try ContainerStructure(file, demuxer, isMovie: format == .video) { demuxer in
            unsafe CFFmpegShims_is_probed_as(
                file.descriptor.number, Int64(file.start), Int64(file.byteCount), demuxer.rawValue) == 1
        }
        let container = try MediaContainer(file, demuxer, structure)
        let sound = try SoundFile(file, demuxer, structure, container.reportedStreams)
        let hidesCovers = try sound.hasUnreportedCovers()
        if hidesCovers { container.noteUnreportedCovers() }
        guard container.streams.isEmpty else {
            return .value(.session(try VideoSession(file, format, demuxer, request, structure, container)))
        }
        guard try sound.isCertain(), !hidesCovers else { throw DecodingFailure(.noPictures) }
        return .content(.sound)
    }

    package func writeWholePicture(
        of file: InputFile, _ format: MediaFormat, _ request: WholePictureRequest, to output: WholePictureOutput
    ) throws(DecodingFailure) -> FileAnswer<WholePictureAnswer> {
        try request.limits.checkFile(byteCount: file.byteCount)
        guard StillPicture.formats.contains(format) else { throw DecodingFailure(.noPictures) }
        let still = try WholeStill(file, format, request.limits)
        return .value(.written(isDamaged: try still.write(request, to: output)))
    }

    package func openWholeFrames(
        of file: InputFile, _ format: MediaFormat, _ request: WholePictureRequest
    ) throws(DecodingFailure) -> FileAnswer<OpenedWholeFrames> {
        try request.limits.checkFile(byteCount: file.byteCount, isVideo: request.sequence == nil)
        guard format == .video || request.sequence != nil else { return .content(.pictures) }
        if StillPicture.formats.contains(format) {
            let still = try WholeStill(file, format, request.limits)
            return .value(
                .session(
                    OnlyWholeFrame(format) { output throws(DecodingFailure) in try still.write(request, to: output) }))
        }
        let (demuxer, structure) = try Self.displayedStructure(file, format)
        let container = try MediaContainer(file, demuxer, structure)
        guard !container.streams.isEmpty else { return .content(.sound) }
        return .value(.session(try WholeVideo(file, format, demuxer, structure, container, request)))
    }

    package func remux(
        _ file: InputFile, _ format: MediaFormat, _ request: RemuxRequest
    ) throws(DecodingFailure) -> FileAnswer<any RemuxedFilm> {
        try request.limits.checkFile(byteCount: file.byteCount, isVideo: true)
        guard format == .video else { return .content(.pictures) }
        let (demuxer, shown) = try Self.displayedStructure(file, format)
        let structure = request.keepsSound ? shown.showingSound : shown
        return .value(
            try RemuxedVideo(structure, demuxer, request) { () throws(DecodingFailure) in
                try MediaContainer(file, demuxer, structure)
            })
    }

    /// Returns the structure of a file that no other program shows, without the search for other looks of it.
    private static func displayedStructure(
        _ file: InputFile, _ format: MediaFormat
    ) throws(DecodingFailure) -> (Demuxer, ContainerStructure) {
        guard let demuxer = Demuxer(format: format, prefix: try file.prefix()) else {
            throw DecodingFailure(.unsupportedContainer)
        }
        return (demuxer, try ContainerStructure(file, demuxer, isMovie: false) { _ in true })
    }

    package func openStream(
        _ pipe: OwnedDescriptor, _ request: StreamRequest, readsOn: @escaping () -> Bool
    ) throws(DecodingFailure) -> any StreamDecodingSession {
        LiveStreamSession(PipeSource(pipe, readsOn: readsOn), request)
    }
}
