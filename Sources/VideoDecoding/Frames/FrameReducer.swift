// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import DecoderService

/// Makes small RGB pictures of frames, in each of the ways in which players convert frames to colours.
///
/// In a frame, several pixels share one colour. FFmpeg's program gives each pixel the nearest colour. Players on
/// graphics processors interpolate, and some programs scale levels before the conversion. The results differ only if
/// levels exceed the bounds of colours and are clipped. Content that is hidden there shows in some programs only.
@safe
final class FrameReducer {
    private let nearest: OpaquePointer
    private let smooth: OpaquePointer

    /// - Throws: `outOfMemory`.
    init() throws(DecodingFailure) {
        guard let nearest = unsafe CFFmpegShims_make_reducer() else { throw DecodingFailure(.outOfMemory) }
        guard let smooth = unsafe CFFmpegShims_make_reducer() else {
            unsafe CFFmpegShims_free_reducer(nearest)
            throw DecodingFailure(.outOfMemory)
        }
        unsafe (self.nearest, self.smooth) = (nearest, smooth)
    }

    deinit {
        unsafe CFFmpegShims_free_reducer(nearest)
        unsafe CFFmpegShims_free_reducer(smooth)
    }

    /// Returns the views of a frame: opaque RGB pictures that differ visibly, each without padding.
    ///
    /// - Parameter tags: the colour tags of the container and of the frame.
    /// - Throws: `unsupportedVariant`, `outOfMemory`.
    func views(
        of frame: DecodedFrame, tags: Set<ColorTags>, width: Int, height: Int
    ) throws(DecodingFailure) -> [[UInt8]] {
        let pictures = try unsafe reduced(frame, width, height, nearest, isSmooth: false)
        var views = [pictures[0]]
        func add(_ picture: [UInt8]) throws(DecodingFailure) {
            for view in views {
                guard try PictureDifference(view, picture, width: width, height: height).isVisible else { return }
            }
            views.append(picture)
        }
        for levels in Set(tags.compactMap(\.shownLevels)) {
            try add(unsafe reduced(frame, width, height, nearest, isSmooth: false, levels: levels)[0])
        }
        guard pictures.count == 1 else {
            // The picture over black is always a view, as in the decoding of pictures.
            views.append(pictures[1])
            try add(pictures[2])
            return views
        }
        guard !frame.hasAlpha else { return views }
        let others = unsafe CFFmpegShims_find_other_renderings(
            frame.pointer, pictures[0], Int32(width), Int32(height))
        guard others >= 0 else { throw MediaContainer.failure(others) }
        if others & Int32(CFFmpegShims_smooth_differs) != 0 {
            try add(unsafe reduced(frame, width, height, smooth, isSmooth: true)[0])
        }
        if others & Int32(CFFmpegShims_scaled_differs) != 0 { try add(scaled(frame, width, height)) }
        return views
    }

    /// Returns the picture of a frame as most players show it: RGB, with opacity if the frame has any.
    ///
    /// - Parameter levels: what each level becomes; nil for what it is.
    /// - Throws: `unsupportedVariant`, `outOfMemory`.
    func displayed(
        _ frame: DecodedFrame, levels: [UInt8]?, width: Int, height: Int
    ) throws(DecodingFailure) -> [UInt8] {
        let pictures = try unsafe reduced(frame, width, height, smooth, isSmooth: true, levels: levels)
        guard frame.hasAlpha else { return pictures[0] }
        return Self.withOpacity(overWhite: pictures[0], overBlack: pictures.count > 1 ? pictures[1] : pictures[0])
    }

    /// Returns the pixels with opacity that look like two pictures over white and over black.
    private static func withOpacity(overWhite white: [UInt8], overBlack black: [UInt8]) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(white.count / 3 * 4)
        for start in stride(from: 0, to: white.count, by: 3) {
            // Rounding makes the channels differ by one.
            let opacity = (0..<3).map { 255 - max(0, Int(white[start + $0]) - Int(black[start + $0])) }.max() ?? 255
            for channel in 0..<3 {
                let level = Int(black[start + channel]) * 255 + opacity / 2
                pixels.append(UInt8(min(255, opacity == 0 ? 0 : level / opacity)))
            }
            pixels.append(UInt8(opacity))
        }
        return pixels
    }

    private func reduced(
        _ frame: DecodedFrame, _ width: Int, _ height: Int, _ reducer: OpaquePointer, isSmooth: Bool,
        levels: [UInt8]? = nil
    ) throws(DecodingFailure) -> [[UInt8]] {
        let size = width * height * 3
        let most = frame.hasAlpha ? 3 : 1
        var found: Int32 = 0
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: size * most) { buffer, count in
            found = unsafe CFFmpegShims_reduce(
                reducer, frame.pointer, Int32(width), Int32(height), isSmooth ? 1 : 0, levels, buffer.baseAddress)
            count = found >= 1 ? size * most : 0
        }
        guard found >= 1 else { throw MediaContainer.failure(found, or: .unsupportedVariant) }
        return most == 1 ? [pixels] : (0..<Int(found)).map { Array(pixels[($0 * size)..<(($0 + 1) * size)]) }
    }

    /// Returns a picture whose levels were scaled before the conversion to colours.
    private func scaled(_ frame: DecodedFrame, _ width: Int, _ height: Int) throws(DecodingFailure) -> [UInt8] {
        var error: Int32 = 0
        let size = width * height * 3
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            error = unsafe CFFmpegShims_reduce_levels(
                frame.pointer, Int32(width), Int32(height), buffer.baseAddress)
            count = error == 0 ? size : 0
        }
        guard error == 0 else { throw MediaContainer.failure(error, or: .unsupportedVariant) }
        return pixels
    }
}
