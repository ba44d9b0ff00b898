// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// An open file with one picture, in a format that only FFmpeg decodes.
final class StillSession: MediaSession {
    let media: MediaReply
    /// The files that are left to decode: the file itself, and what other programs show of it.
    private var files: [[UInt8]] = []
    private let allFiles: [[UInt8]]
    private let codec: StillPicture.Codec
    private let request: ImageRequest

    /// - Throws: an error in the structure of the file, a disagreement, or the failures of the limits.
    init(_ file: InputFile, _ format: MediaFormat, _ request: ImageRequest) throws(DecodingFailure) {
        let bytes = try file.bytes(at: 0, count: file.byteCount)
        let picture = try StillPicture(bytes, format)
        try request.limits.checkPicture(width: picture.width, height: picture.height, isStreamed: false)
        (allFiles, codec) = ([bytes] + picture.otherFiles, picture.codec)
        self.request = request
        media = MediaReply(format: format, trackCount: 1)
    }

    func openTrack(_ index: Int) throws(DecodingFailure) -> TrackReply {
        files = allFiles
        return TrackReply(isTimed: false, isComplete: true, duration: 0)
    }

    func nextFrame() throws(DecodingFailure) -> TrackAnswer {
        let position = UInt64(allFiles.count - files.count)
        guard let bytes = files.first else {
            return .end(TrackEnd(duration: 0, decodedFrameCount: position, longestUnseen: 0))
        }
        files.removeFirst()
        let frame = try codec.frame(of: bytes, request.limits)
        var rendered = try FrameRenderer(frame.colorTags, rotation: 0, request).picture(of: frame)
        rendered.isDamaged = frame.isBroken
        return .frame(rendered, TimeSpan(start: position, end: position + 1))
    }

    func frame(shownAt moment: UInt64) throws(DecodingFailure) -> TrackAnswer {
        throw DecodingFailure(.internalError, detail: "a picture has no time")
    }
}

extension StillPicture.Codec {
    /// Decodes the only frame of a file.
    func frame(of bytes: [UInt8], _ limits: AnalysisLimits) throws(DecodingFailure) -> DecodedFrame {
        let frame = try DecodedFrame()
        let error = unsafe CFFmpegShims_decode_still(
            rawValue, bytes, Int64(bytes.count), Int64(limits.maximumPixelCount), frame.pointer)
        guard error == 0 else { throw MediaContainer.failure(error) }
        return frame
    }
}
