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
    ) throws(DecodingFailure) -> [UInt8] {
        let channelCount = layout.format.bytesPerPixel
        guard [.rgb24, .rgba32].contains(layout.format), layout.bytesPerRow == layout.width * channelCount,
            pixels.count >= layout.byteCount
        else { throw DecodingFailure(.internalError, detail: "pixels of another layout") }
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
        defer { unsafe g_free(memory) }
        let file = unsafe Array(UnsafeRawBufferPointer(start: memory, count: count))
        return encoding.format == .jpeg ? Self.withMark(file) : file
    }

    /// Returns a JPEG file with the mark of JFIF, which libvips leaves out with the metadata.
    ///
    /// Programs that guess a format know a JPEG by it. Source: ITU-T T.871, section 10.1.
    private static func withMark(_ file: [UInt8]) -> [UInt8] {
        guard file.starts(with: [0xFF, 0xD8]), !file.dropFirst(2).starts(with: [0xFF, 0xE0]) else { return file }
        let mark: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
        return file.prefix(2) + mark + file.dropFirst(2)
    }

    private func webP(
        _ pixels: UnsafeRawBufferPointer, _ layout: PixelLayout, _ quality: Int
    ) throws(DecodingFailure) -> [UInt8] {
        guard max(layout.width, layout.height) <= Int(WEBP_MAX_DIMENSION) else {
            throw DecodingFailure(.libraryLimit, detail: "an edge over \(WEBP_MAX_DIMENSION) pixels")
        }
        let encode = layout.format.hasOpacity ? unsafe WebPEncodeRGBA : unsafe WebPEncodeRGB
        var memory: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode(
            pixels.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(layout.width), Int32(layout.height),
            Int32(layout.bytesPerRow), Float(quality), &memory)
        guard count > 0, let memory = unsafe memory else { throw DecodingFailure(.outOfMemory) }
        defer { unsafe WebPFree(memory) }
        return unsafe Array(UnsafeBufferPointer(start: memory, count: count))
    }

    private static func failure(_ reason: DecodingFailure.Reason) -> DecodingFailure {
        let text = unsafe String(cString: vips_error_buffer()).split(separator: "\n").joined(separator: "; ")
        vips_error_clear()
        return DecodingFailure(text.contains("memory") ? .outOfMemory : reason, detail: text)
    }
}
