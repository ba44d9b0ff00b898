// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVideoEncoderShims
internal import HelperProtocol

/// Encodes frames as H.264 in MP4, with libx264 by FFmpeg.
@safe
final class FilmEncoder: SequenceEncoder {
    private let film: OpaquePointer
    private let width: Int
    private let height: Int
    private let background: PictureEncoding.Background

    /// - Throws: `libraryLimit` for a size that the encoder does not take or if libx264 is missing, `outOfMemory`.
    init(_ encoding: SequenceEncoding, width: Int, height: Int) throws(DecodingFailure) {
        var film: OpaquePointer?
        let error = unsafe CVideoEncoderShims_open(
            &film, Int32(clamping: width), Int32(clamping: height), Self.factor(encoding.quality))
        guard error == 0, let film = unsafe film else { throw Self.failure(error) }
        unsafe self.film = film
        (self.width, self.height, background) = (width, height, encoding.background)
    }

    deinit { unsafe CVideoEncoderShims_close(film) }

    func add(
        _ pixels: UnsafeRawBufferPointer, _ layout: PixelLayout, _ shown: TimeSpan
    ) throws(DecodingFailure) {
        unsafe try layout.check(pixels, width: width, height: height)
        let error = unsafe CVideoEncoderShims_add(
            film, pixels.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(layout.format.bytesPerPixel),
            [background.red, background.green, background.blue], Int64(clamping: shown.start),
            Int64(clamping: shown.end))
        guard error == 0 else { throw Self.failure(error) }
    }

    func finish() throws(DecodingFailure) -> EncodedFile {
        var (bytes, count): (UnsafeMutablePointer<UInt8>?, Int64) = unsafe (nil, 0)
        let error = unsafe CVideoEncoderShims_finish(film, &bytes, &count)
        guard error == 0, let bytes = unsafe bytes, count > 0 else { throw Self.failure(error) }
        return unsafe EncodedFile(UnsafeMutableRawPointer(bytes), count: Int(count)) { memory in
            unsafe CVideoEncoderShims_free_file(memory)
        }
    }

    /// Returns x264's constant rate factor for a quality from 1 to 100: 18 for 90, 23 for 77, and 47 for 10.
    private static func factor(_ quality: Int) -> Int32 { Int32(max(1, (50.5 - 0.36 * Double(quality)).rounded())) }

    private static func failure(_ error: Int32) -> DecodingFailure {
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            unsafe CVideoEncoderShims_describe(error, buffer.baseAddress, 128)
            return unsafe String(cString: buffer.baseAddress!)
        }
        return DecodingFailure(CVideoEncoderShims_is_shortage(error) == 1 ? .outOfMemory : .libraryLimit, detail: text)
    }
}
