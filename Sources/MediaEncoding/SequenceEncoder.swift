// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import HelperProtocol

/// An encoder of judged frames, which come one after the other.
protocol SequenceEncoder: AnyObject {
    /// Adds the next frame.
    ///
    /// - Parameter pixels: the pixels of the layout, which must be RGB, with or without opacity, in rows without padding.
    /// - Throws: `libraryLimit` if the format cannot hold the frame, `outOfMemory`.
    func add(
        _ pixels: UnsafeRawBufferPointer, _ layout: PixelLayout, _ shown: TimeSpan
    ) throws(DecodingFailure)

    /// Returns the encoded file.
    func finish() throws(DecodingFailure) -> EncodedFile
}

extension PixelLayout {
    /// Checks that pixels are RGB, with or without opacity, in rows without padding.
    func check(_ pixels: UnsafeRawBufferPointer) throws(DecodingFailure) {
        guard [.rgb24, .rgba32].contains(format), bytesPerRow == width * format.bytesPerPixel, pixels.count >= byteCount
        else { throw DecodingFailure(.internalError, detail: "pixels of another layout") }
    }

    /// Checks that pixels are as encoders take them, and of a size.
    func check(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int) throws(DecodingFailure) {
        unsafe try check(pixels)
        guard (self.width, self.height) == (width, height) else {
            throw DecodingFailure(.libraryLimit, detail: "frames of different sizes")
        }
    }
}
