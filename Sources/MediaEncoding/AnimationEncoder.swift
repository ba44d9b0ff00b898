// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CWebP
internal import CWebPMux
internal import HelperProtocol

/// Encodes frames as an animated WebP.
@safe
final class AnimationEncoder: SequenceEncoder {
    private let encoder: OpaquePointer
    private let width: Int
    private let height: Int
    private var configuration = unsafe WebPConfig()
    /// The end of the last frame, in milliseconds.
    private var end: Int32 = 0

    /// - Throws: `libraryLimit` for a size that WebP does not have, `outOfMemory`, `internalError`.
    init(_ encoding: SequenceEncoding, width: Int, height: Int) throws(DecodingFailure) {
        guard (1...Int(WEBP_MAX_DIMENSION)).contains(width), (1...Int(WEBP_MAX_DIMENSION)).contains(height) else {
            throw DecodingFailure(.libraryLimit, detail: "an edge over \(WEBP_MAX_DIMENSION) pixels")
        }
        var options = unsafe WebPAnimEncoderOptions()
        guard unsafe WebPAnimEncoderOptionsInit(&options) != 0, unsafe WebPConfigInit(&configuration) != 0 else {
            throw DecodingFailure(.internalError, detail: "libwebp is of another version")
        }
        unsafe options.anim_params.loop_count = Int32(clamping: min(encoding.loopCount, 65_535))
        unsafe configuration.quality = Float(encoding.quality)
        // Each step of the method doubles the time, and animations have many frames.
        unsafe configuration.method = 2
        guard let encoder = unsafe WebPAnimEncoderNew(Int32(width), Int32(height), &options) else {
            throw DecodingFailure(.outOfMemory)
        }
        unsafe self.encoder = encoder
        (self.width, self.height) = (width, height)
    }

    deinit { unsafe WebPAnimEncoderDelete(encoder) }

    func add(
        _ pixels: UnsafeRawBufferPointer, _ layout: PixelLayout, _ shown: TimeSpan
    ) throws(DecodingFailure) {
        unsafe try layout.check(pixels, width: width, height: height)
        // A frame lasts at least a millisecond, and times are numbers of 32 bits.
        let start = max(Int32(clamping: shown.start / 1000), end)
        guard start < .max - 1 else { throw DecodingFailure(.libraryLimit, detail: "an animation of 24 days") }
        end = max(Int32(clamping: (shown.end + 500) / 1000), start + 1)
        var picture = unsafe WebPPicture()
        guard unsafe WebPPictureInit(&picture) != 0 else {
            throw DecodingFailure(.internalError, detail: "libwebp is of another version")
        }
        defer { unsafe WebPPictureFree(&picture) }
        unsafe picture.use_argb = 1
        unsafe picture.width = Int32(width)
        unsafe picture.height = Int32(height)
        let bytes = unsafe pixels.assumingMemoryBound(to: UInt8.self).baseAddress
        let isTaken =
            layout.format.hasOpacity
            ? unsafe WebPPictureImportRGBA(&picture, bytes, Int32(layout.bytesPerRow))
            : unsafe WebPPictureImportRGB(&picture, bytes, Int32(layout.bytesPerRow))
        guard isTaken != 0 else { throw DecodingFailure(.outOfMemory) }
        guard unsafe WebPAnimEncoderAdd(encoder, &picture, start, &configuration) != 0 else { throw failure }
    }

    func finish() throws(DecodingFailure) -> EncodedFile {
        guard unsafe WebPAnimEncoderAdd(encoder, nil, end, nil) != 0 else { throw failure }
        var data = unsafe WebPData()
        guard unsafe WebPAnimEncoderAssemble(encoder, &data) != 0, let bytes = unsafe data.bytes else { throw failure }
        return unsafe EncodedFile(UnsafeMutableRawPointer(mutating: bytes), count: data.size) { unsafe WebPFree($0) }
    }

    private var failure: DecodingFailure {
        let text = unsafe WebPAnimEncoderGetError(encoder).map { unsafe String(cString: $0) } ?? ""
        return DecodingFailure(text.contains("memory") ? .outOfMemory : .libraryLimit, detail: text)
    }
}
