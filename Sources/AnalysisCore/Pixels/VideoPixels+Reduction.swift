// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

extension VideoPixels {
    /// Returns the upright views of the frame, reduced as video decoders reduce frames.
    ///
    /// A frame has a view for each rendering that displays may show and that differs visibly: with interpolated and
    /// with repeated colours, and with opacity ignored or composed over white and over black.
    ///
    /// - Parameters:
    ///   - minimumWidth: the least width of the views, if the frame has so many pixels.
    ///   - minimumHeight: the least height.
    /// - Throws: `limitExceeded` if memory ran out.
    package func reducedViews(minimumWidth: Int, minimumHeight: Int) throws(AnalysisFailure) -> [PixelImage] {
        let part = sampledCrop
        let isTurned = quarterTurns % 2 == 1
        let (least, leastRows) = isTurned ? (minimumHeight, minimumWidth) : (minimumWidth, minimumHeight)
        let width = max(1, part.width / max(1, part.width / max(1, least)))
        let height = max(1, part.height / max(1, part.height / max(1, leastRows)))
        let views = renderings(of: part, width: width, height: height)
        guard let views else {
            throw AnalysisFailure(.limitExceeded, "Memory ran out for a frame. Pass smaller frames.")
        }
        let shown = shownSize
        return try views.map { pixels throws(AnalysisFailure) in
            try PixelImage(
                width: isTurned ? height : width, height: isTurned ? width : height,
                bytesPerRow: (isTurned ? height : width) * PixelImage.bytesPerPixel,
                storage: ArrayPixelStorage(
                    Turning.upright(pixels, width: width, height: height, rotation: quarterTurns * 90)),
                originalSize: shown)
        }
    }

    /// Returns the renderings of a part as RGB pixels without padding; nil if memory ran out.
    private func renderings(of part: Crop, width: Int, height: Int) -> [[UInt8]]? {
        unsafe withPlanes { planes in
            if self.planes.count == 1 { return unsafe packedRenderings(planes[0], part, width, height) }
            guard let repeated = unsafe shared(planes, part, width, height, isSmooth: false),
                let smooth = unsafe shared(planes, part, width, height, isSmooth: true)
            else { return nil }
            var difference = CPixelLoops_Difference()
            let answer = unsafe CPixelLoops_compare_pictures(
                repeated, smooth, Int32(width), Int32(height), &difference)
            return answer < 0 ? nil : answer > 0 ? [smooth, repeated] : [smooth]
        }
    }

    private func shared(
        _ planes: [UnsafeRawBufferPointer], _ part: Crop, _ width: Int, _ height: Int, isSmooth: Bool
    ) -> [UInt8]? {
        let isJoined = self.planes.count == 2
        let colorStep = isJoined ? 2 : 1
        let colorOffset = part.y / 2 * self.planes[1].bytesPerRow + part.x / 2 * colorStep
        let luma = unsafe planes[0].baseAddress! + part.y * self.planes[0].bytesPerRow + part.x
        let blue = unsafe planes[1].baseAddress! + colorOffset
        let red = unsafe isJoined ? blue + 1 : planes[2].baseAddress! + colorOffset
        guard isJoined || self.planes[1].bytesPerRow == self.planes[2].bytesPerRow else { return nil }
        var frame = unsafe CPixelLoops_SharedFrame(
            width: Int32(part.width), height: Int32(part.height),
            luma: luma.assumingMemoryBound(to: UInt8.self), blue: blue.assumingMemoryBound(to: UInt8.self),
            red: red.assumingMemoryBound(to: UInt8.self), luma_bytes_per_row: self.planes[0].bytesPerRow,
            color_bytes_per_row: self.planes[1].bytesPerRow, color_step: Int32(colorStep),
            weights: matrix.weights(isFullRange: format.isFullRange))
        return unsafe Self.filled(width, height) {
            unsafe CPixelLoops_reduce_shared_frame(&frame, Int32(width), Int32(height), isSmooth, $0)
        }
    }

    private func packedRenderings(
        _ plane: UnsafeRawBufferPointer, _ part: Crop, _ width: Int, _ height: Int
    ) -> [[UInt8]]? {
        let bytesPerRow = planes[0].bytesPerRow
        let start = part.y * bytesPerRow + part.x * format.bytesPerSample(ofPlane: 0)
        let pixels = unsafe (plane.baseAddress! + start).assumingMemoryBound(to: UInt8.self)
        func rendering(_ format: PixelFormat, over background: UInt8) -> [UInt8]? {
            unsafe Self.filled(width, height) {
                unsafe CPixelLoops_reduce_pixels(
                    pixels, bytesPerRow, Int32(part.width), Int32(part.height), format.description, background,
                    Int32(width), Int32(height), $0)
            }
        }
        guard format != .rgb24 else { return rendering(.rgb24, over: 255).map { [$0] } }
        let isBGRA = format == .bgra
        guard let bare = rendering(isBGRA ? .bgrx32 : .rgbx32, over: 255) else { return nil }
        var views = [bare]
        // The opacity of many cameras and screens has no meaning, and displays that obey it show something else.
        for format in isBGRA ? [PixelFormat.bgra32, .bgra32Premultiplied] : [.rgba32, .rgba32Premultiplied] {
            for background: UInt8 in [255, 0] {
                guard let view = rendering(format, over: background) else { return nil }
                if views.allSatisfy({ unsafe CPixelLoops_differ($0, view, view.count, Self.invisible) }) {
                    views.append(view)
                }
            }
        }
        return views
    }

    private static func filled(_ width: Int, _ height: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8]? {
        let count = width * height * PixelImage.bytesPerPixel
        var isFilled = false
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            isFilled = unsafe body(buffer.baseAddress!)
            filled = isFilled ? count : 0
        }
        return isFilled ? pixels : nil
    }

    /// The largest difference between renderings, in levels, that changes no score noticeably.
    private static let invisible: UInt8 = 2
}

extension VideoPixels.ColorMatrix {
    /// The factors for 8-bit samples, in 1/8192.
    ///
    /// Source: ITU-R BT.601-7 section 2.5 and BT.709-6 section 3.
    fileprivate func weights(isFullRange: Bool) -> CPixelLoops_Weights {
        let (red, blue): (Double, Double) = self == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
        let green = 1 - red - blue
        let unit = 8192 * (isFullRange ? 1 : 255.0 / 224)
        func factor(_ value: Double) -> Int16 { Int16((value * unit).rounded()) }
        return CPixelLoops_Weights(
            offset: isFullRange ? 0 : 16, luma: Int16((8192 * (isFullRange ? 1 : 255.0 / 219)).rounded()),
            red: factor(2 * (1 - red)), green_blue: factor(2 * blue * (1 - blue) / green),
            green_red: factor(2 * red * (1 - red) / green), blue: factor(2 * (1 - blue)))
    }
}
