// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims

/// One decoded frame, in the pixel format of its codec.
@safe
final class DecodedFrame {
    let pointer: UnsafeMutablePointer<AVFrame>
    /// Whether the upper or left edge is cut off; Chromium 156 cuts the same size off the opposite edges instead.
    var isCutAtStart = false

    init() throws(DecodingFailure) {
        guard let frame = unsafe av_frame_alloc() else { throw DecodingFailure(.outOfMemory) }
        unsafe pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&frame)
    }

    /// The label of the packet that held the frame, or nil if the decoder has lost the label.
    var label: Int64? {
        let label = unsafe pointer.pointee.pts
        return label == CFFmpegShims_no_timestamp ? nil : label
    }

    var width: Int { unsafe Int(pointer.pointee.width) }
    var height: Int { unsafe Int(pointer.pointee.height) }

    /// The size at which players show the frame before it is turned, because pixels need not be square.
    var sizeWithSquarePixels: (width: Int, height: Int) {
        let ratio = unsafe pointer.pointee.sample_aspect_ratio
        // No real pixels have ratios beyond these bounds.
        guard ratio.num > 0, ratio.den > 0, ratio.num / ratio.den < 8, ratio.den / ratio.num < 8 else {
            return (width, height)
        }
        return ratio.num >= ratio.den
            ? (width * Int(ratio.num) / Int(ratio.den), height) : (width, height * Int(ratio.den) / Int(ratio.num))
    }

    /// The clockwise rotation that the frame itself states, in degrees, plus 360 where it is mirrored; nil for none.
    var statedRotation: Int? {
        let rotation = unsafe Int(CFFmpegShims_frame_rotation(pointer, -1))
        return rotation < 0 ? nil : rotation
    }

    var colorTags: ColorTags {
        unsafe ColorTags(transfer: pointer.pointee.color_trc, matrix: pointer.pointee.colorspace)
    }

    /// Whether the pixels of the frame may be transparent.
    var hasAlpha: Bool { unsafe CFFmpegShims_has_alpha(pointer) != 0 }

    /// Passes each row at the full size to the closure, in RGB, with opacity if the frame has any.
    ///
    /// - Throws: `unsupportedVariant`, `outOfMemory`.
    func forEachRow(_ take: (UnsafePointer<UInt8>) -> Void) throws(DecodingFailure) {
        let error = unsafe withoutActuallyEscaping(take) { take in
            var taker = unsafe RowTaker(take: take)
            return unsafe withUnsafeMutablePointer(to: &taker) { taker in
                unsafe CFFmpegShims_each_row(
                    pointer,
                    { context, row in
                        unsafe context!.assumingMemoryBound(to: RowTaker.self).pointee.take(row!)
                    }, taker)
            }
        }
        guard error == 0 else { throw MediaContainer.failure(error, or: .unsupportedVariant) }
    }

    /// Returns the frame with the levels of another frame as its opacity.
    ///
    /// - Throws: `unsupportedVariant` if the two frames do not fit, `outOfMemory`.
    func adding(opacity: DecodedFrame) throws(DecodingFailure) -> DecodedFrame {
        let frame = try DecodedFrame()
        frame.isCutAtStart = isCutAtStart
        let error = unsafe CFFmpegShims_add_opacity(pointer, opacity.pointer, frame.pointer)
        if error == CFFmpegShims_error_memory { throw DecodingFailure(.outOfMemory) }
        guard error == 0 else {
            throw DecodingFailure(.unsupportedVariant, detail: "opacity of another size or depth")
        }
        return frame
    }

    /// The likeness of two frames, as far as their samples alone prove it.
    enum Likeness: Int32 {
        case unknown
        /// No part can differ visibly.
        case same
        /// No part can differ visibly, and the signatures differ negligibly.
        case identical
    }

    func likeness(to other: DecodedFrame) -> Likeness {
        Likeness(rawValue: unsafe CFFmpegShims_frames_look_same(pointer, other.pointer)) ?? .unknown
    }

    /// Whether the frame consists of two fields, which some players show one after the other.
    var isInterlaced: Bool { unsafe pointer.pointee.interlaced_frame != 0 }

    /// Whether parts of the frame are missing and were made up by the decoder.
    var isBroken: Bool {
        unsafe pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || pointer.pointee.decode_error_flags != 0
    }

    /// Whether the frame depends on no other frame, by its own data and not by the container.
    var isIntra: Bool {
        // The key frame flag is unreliable, because a message in an H.264 stream can set it for any frame.
        let kind = unsafe pointer.pointee.pict_type
        return kind == AV_PICTURE_TYPE_I || kind == AV_PICTURE_TYPE_NONE
    }

    /// The averages and details of blocks, by which frames are compared; nil if the pixel format is not supported.
    var signature: FrameSignature? {
        let capacity = 4 * FrameSignature.blockCount
        var planes = 0
        var details = [UInt16](repeating: 0, count: 2 * capacity)
        let averages = unsafe [UInt16](unsafeUninitializedCapacity: capacity) { buffer, count in
            planes = unsafe Int(
                CFFmpegShims_block_averages(pointer, Int32(FrameSignature.side), buffer.baseAddress, &details))
            count = planes * FrameSignature.blockCount
        }
        details.removeLast(2 * (capacity - averages.count))
        return averages.isEmpty ? nil : FrameSignature(averages: averages, details: details)
    }
}

/// A closure that takes each row, in a form that C can pass on.
@unsafe private struct RowTaker {
    let take: (UnsafePointer<UInt8>) -> Void
}
