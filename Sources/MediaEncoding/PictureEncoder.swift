// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CVips
internal import CVipsShims
internal import CWebP

/// Encodes judged pixels with libvips, and WebP with libwebp, because libvips adds metadata to it.
struct PictureEncoder {
    /// Starts libvips; call this once, at the start of the process.
    init() throws(DecodingFailure) {
        guard unsafe CVipsShims_start_encoder("sca-media-encoder") == 0 else { throw Self.failure(.internalError) }
    }

    var library: String { "libvips \(vips_version(0)).\(vips_version(1)).\(vips_version(2))" }

    /// Returns the encoded file.
    ///
    /// - Parameter pixels: the pixels of the layout, which must be RGB, with or without opacity, in rows without padding.
    /// - Throws: `libraryLimit` if the format cannot hold the picture, `outOfMemory`.
    func encode(
        _ pixels: UnsafeRawBufferPointer, _ layout: PixelLayout, _ encoding: PictureEncoding
    ) throws(DecodingFailure) -> EncodedFile {
        let channelCount = layout.format.bytesPerPixel
        unsafe try layout.check(pixels)
        guard encoding.format != .webp else { return try unsafe webP(pixels, layout, encoding.quality) }
        let background = encoding.background
        let parameters = CVipsShims_Encoding(
            is_jpeg: encoding.format == .jpeg, quality: Int32(encoding.quality),
            background: (Double(background.red), Double(background.green), Double(background.blue)))
        var (memory, count): (UnsafeMutableRawPointer?, Int) = unsafe (nil, 0)
        let status = unsafe CVipsShims_encode(
            pixels.baseAddress, layout.byteCount, Int32(layout.width), Int32(layout.height), Int32(channelCount),
            parameters, &memory, &count)
        guard status == 0, let memory = unsafe memory else { throw Self.failure(.libraryLimit) }
        return unsafe EncodedFile(memory, count: count, isMarked: encoding.format == .jpeg) { unsafe g_free($0) }
    }

    private func webP(
        _ pixels: UnsafeRawBufferPointer, _ layout: PixelLayout, _ quality: Int
    ) throws(DecodingFailure) -> EncodedFile {
        guard max(layout.width, layout.height) <= Int(WEBP_MAX_DIMENSION) else {
            throw DecodingFailure(.libraryLimit, detail: "an edge over \(WEBP_MAX_DIMENSION) pixels")
        }
        let encode = layout.format.hasOpacity ? unsafe WebPEncodeRGBA : unsafe WebPEncodeRGB
        var memory: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode(
            pixels.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(layout.width), Int32(layout.height),
            Int32(layout.bytesPerRow), Float(quality), &memory)
        guard count > 0, let memory = unsafe memory else { throw DecodingFailure(.outOfMemory) }
        return unsafe EncodedFile(memory, count: count) { unsafe WebPFree($0) }
    }

    private static func failure(_ reason: DecodingFailure.Reason) -> DecodingFailure {
        let text = unsafe String(cString: vips_error_buffer()).split(separator: "\n").joined(separator: "; ")
        vips_error_clear()
        return DecodingFailure(text.contains("memory") ? .outOfMemory : reason, detail: text)
    }
}
