// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import HelperProtocol

/// Copies whole frames to the memory of the host: upright, with square pixels, with 8 bits a sample.
///
/// The app displays what is copied and the same pixels are judged, so nothing else has to be told about a frame.
@safe
final class FrameCopier {
    private let copier: OpaquePointer
    private let keepsLook: Bool
    /// The rotation by the latest frame that states one, until the next group of frames.
    private var turn: Int?
    /// Whether a new group of frames has begun, whose rotation FFmpeg may give to its second frame.
    private var hasNewGroup = false

    /// - Parameter keepsLook: whether later frames get the size and the colours of the first frame. They are scaled, and
    ///   have black bars where their shape differs.
    /// - Throws: `outOfMemory`.
    init(keepsLook: Bool) throws(DecodingFailure) {
        self.keepsLook = keepsLook
        guard let copier = unsafe CFFmpegShims_make_copier() else { throw DecodingFailure(.outOfMemory) }
        unsafe self.copier = copier
    }

    deinit {
        unsafe CFFmpegShims_free_copier(copier)
    }

    /// Writes a frame to the memory, and returns its description.
    ///
    /// A rotation that a frame states holds for the frames behind it too, although FFmpeg gives it to that frame alone.
    ///
    /// - Parameter rotation: the rotation by the stream, for frames without one of their own.
    /// - Throws: `edgeTooLong`, `tooManyPixels`, `libraryLimit` or `unsupportedVariant` for a frame that cannot be copied.
    func copy(
        _ frame: DecodedFrame, rotation: Int, _ limits: AnalysisLimits, into memory: MappedPixelMemory
    ) throws(DecodingFailure) -> StreamFrameReply {
        if let stated = frame.statedRotation { turn = stated } else if hasNewGroup { turn = nil }
        hasNewGroup = frame.isIntra && frame.statedRotation == nil
        let rotation = turn ?? rotation
        let (width, height) = frame.sizeWithSquarePixels
        try limits.checkPicture(width: width, height: height, isStreamed: false)
        guard max(width, height) <= VideoPixels.maximumEdge else {
            throw DecodingFailure(.libraryLimit, detail: "a frame of the stream is too large")
        }
        var look = CFFmpegShims_Look()
        let size = unsafe memory.fill { bytes in
            unsafe CFFmpegShims_copy_frame(
                copier, frame.pointer, Int32(width), Int32(height), Int32(rotation), keepsLook ? 1 : 0,
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int64(bytes.count), &look)
        }
        guard size != CFFmpegShims_error_no_space else {
            throw DecodingFailure(.libraryLimit, detail: "a frame of the stream is too large")
        }
        guard size > 0 else { throw MediaContainer.failure(size, or: .unsupportedVariant) }
        let moment = frame.label.flatMap { $0 >= 0 ? UInt64($0) : nil }
        return StreamFrameReply(
            width: UInt32(look.width), height: UInt32(look.height), isFullRange: look.is_full_range != 0,
            matrix: look.is_bt709 != 0 ? .bt709 : .bt601, moment: moment ?? StreamFrameReply.noMoment)
    }
}
