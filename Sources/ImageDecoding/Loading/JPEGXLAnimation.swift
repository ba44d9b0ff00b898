// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CJxlShims
internal import CVips
internal import FileAccess
internal import ViewerAgreement

/// The frames of an animated JPEG XL file, decoded by libjxl because libvips reads only one.
///
/// All programs use libjxl, which draws each frame over the frames before it.
@safe
final class JPEGXLAnimation: AnimationFrames {
    private let animation: OpaquePointer
    private let maximumPixelCount: Int
    /// In every program, libjxl itself draws frames over others.
    let hasMixedColours = false

    /// - Parameter decodesPixels: whether frames have pixels; otherwise only their durations are read.
    init(_ file: InputFile, _ limits: AnalysisLimits, decodesPixels: Bool = true) throws(DecodingFailure) {
        guard
            let animation = unsafe CJxlShims_open_animation(
                file.descriptor.number, Int64(file.start), Int64(file.byteCount), decodesPixels ? 1 : 0)
        else { throw DecodingFailure(.internalError, format: .jpegXL, detail: "libjxl cannot be used") }
        unsafe self.animation = animation
        maximumPixelCount = limits.maximumPixelCount
    }

    deinit {
        unsafe CJxlShims_close_animation(animation)
    }

    func next() throws(DecodingFailure) -> VipsPicture? {
        guard let frame = try nextFrame() else { return nil }
        guard let pixels = unsafe frame.pixels else {
            throw DecodingFailure(.internalError, format: .jpegXL, detail: "a frame without pixels")
        }
        let (width, height, bandCount) = (Int(frame.width), Int(frame.height), Int(frame.channel_count))
        let samples = unsafe UnsafeBufferPointer(start: pixels, count: width * height * bandCount)
        let picture = try unsafe VipsPicture.inMemory(samples, width: width, height: height, bandCount: bandCount)
            .interpreted(as: VIPS_INTERPRETATION_sRGB)
        guard let profile = unsafe frame.profile else { return picture }
        return try picture.withProfile(
            unsafe [UInt8](UnsafeBufferPointer(start: profile, count: frame.profile_size)))
    }

    /// The durations of all frames in microseconds, and whether the animation is shown without end.
    ///
    /// - Parameter mostFrames: the number of frames from which on none are read.
    func durations(mostFrames: Int) throws(DecodingFailure) -> (durations: [UInt64], isEndless: Bool) {
        var durations: [UInt64] = []
        var isEndless = true
        while durations.count <= mostFrames, let frame = try nextFrame() {
            let ticks = max(UInt64(frame.ticks), 1)
            durations.append(UInt64(frame.duration) * UInt64(frame.seconds) * 1_000_000 / ticks)
            isEndless = frame.loop_count == 0
        }
        return (durations, isEndless)
    }

    private func nextFrame() throws(DecodingFailure) -> CJxlShims_Frame? {
        var frame = unsafe CJxlShims_Frame()
        switch unsafe Int(CJxlShims_next_frame(animation, Int64(maximumPixelCount), &frame)) {
        case CJxlShims_found: return unsafe frame
        case CJxlShims_end: return nil
        case CJxlShims_failed: throw DecodingFailure(.outOfMemory)
        default: throw DecodingFailure(.malformed, format: .jpegXL, detail: "a frame is damaged or missing")
        }
    }
}
