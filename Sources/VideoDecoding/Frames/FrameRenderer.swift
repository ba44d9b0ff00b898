// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import HelperProtocol
internal import HelperService

/// Turns frames into reduced, upright RGB pictures.
@safe
final class FrameRenderer {
    private var context: OpaquePointer?
    private var patternContext: OpaquePointer?
    private let rotation: Int
    private let request: ImageRequest

    init(_ stream: VideoStream, _ request: ImageRequest) {
        rotation = stream.rotation
        self.request = request
    }

    deinit {
        unsafe sws_freeContext(context)
        unsafe sws_freeContext(patternContext)
    }

    /// - Throws: `edgeTooLong`, `tooManyPixels`, `internalError`; frames may change their size in mid-stream.
    func picture(of frame: DecodedFrame) throws(DecodingFailure) -> RenderedPicture {
        let shown = shownSize(of: frame)
        try request.limits.checkPicture(width: shown.width, height: shown.height, isStreamed: false)
        let (minimumWidth, minimumHeight) = (max(1, Int(request.minimumWidth)), max(1, Int(request.minimumHeight)))
        let horizontal = max(1, shown.width / (isTurned ? minimumHeight : minimumWidth))
        let vertical = max(1, shown.height / (isTurned ? minimumWidth : minimumHeight))
        var rendered = try unsafe picture(of: frame, shown, (horizontal, vertical), &context)
        if request.findsTestPatterns {
            // Enough pixels to read a code a fifth of the shorter side in size.
            let factor = TestPatternScanner.reduction(width: shown.width, height: shown.height, shortestSide: 1024)
            let large = try unsafe picture(of: frame, shown, (factor, factor), &patternContext)
            rendered.testPatterns = try large.foundTestPatterns()
        }
        return rendered
    }

    private var isTurned: Bool { rotation % 180 == 90 }

    private func picture(
        of frame: DecodedFrame, _ shown: (width: Int, height: Int), _ factors: (horizontal: Int, vertical: Int),
        _ context: inout OpaquePointer?
    ) throws(DecodingFailure) -> RenderedPicture {
        let (width, height) = (max(1, shown.width / factors.horizontal), max(1, shown.height / factors.vertical))
        let bandCount = unsafe CFFmpegShims_has_alpha(frame.pointer) != 0 ? 4 : 3
        var error: Int32 = 0
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height * bandCount) { buffer, count in
            error = unsafe CFFmpegShims_convert(
                &context, frame.pointer, Int32(width), Int32(height),
                bandCount == 4 ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24, buffer.baseAddress, Int32(width * bandCount))
            count = error == 0 ? width * height * bandCount : 0
        }
        guard error == 0 else {
            throw MediaContainer.failure(error, or: .unsupportedVariant)
        }
        let views = BackgroundComposer.views(of: pixels, bandCount: bandCount)
            .map { Turning.upright($0, width: width, height: height, rotation: rotation) }
        return RenderedPicture(
            views: views, width: isTurned ? height : width, height: isTurned ? width : height,
            originalWidth: isTurned ? shown.height : shown.width, originalHeight: isTurned ? shown.width : shown.height)
    }

    /// The size at which players show the frame before it is turned: pixels need not be square.
    private func shownSize(of frame: DecodedFrame) -> (width: Int, height: Int) {
        let ratio = unsafe frame.pointer.pointee.sample_aspect_ratio
        let (width, height) = (frame.width, frame.height)
        // Ratios beyond this are nobody's pixels.
        guard ratio.num > 0, ratio.den > 0, ratio.num / ratio.den < 8, ratio.den / ratio.num < 8 else {
            return (width, height)
        }
        return ratio.num >= ratio.den
            ? (width * Int(ratio.num) / Int(ratio.den), height) : (width, height * Int(ratio.den) / Int(ratio.num))
    }
}
