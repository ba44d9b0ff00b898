// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation

#if !canImport(CoreGraphics)
/// A bitmap in memory, under the name of Apple's type, for systems without Core Graphics.
///
/// ```swift
/// do {
///     // A surface of Cairo has rows with padding, and colours multiplied by opacity.
///     let image = try CGImage(
///         width: surface.width, height: surface.height, pixelFormat: .bgra32Premultiplied,
///         bytesPerRow: surface.stride, pixels: surface.pixels)
///     view.isCovered = try await analyzer.analyzeImage(image).isSensitive
/// } catch {
///     view.isCovered = true
/// }
/// ```
///
/// The initializer is not Apple's, because Core Graphics describes bitmaps by types that do not exist here.
public final class CGImage: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The distance between the starts of two rows, in bytes.
    public let bytesPerRow: Int
    /// The meaning of the bytes of a pixel.
    public let pixelFormat: PixelFormat
    /// The rows, top row first, in sRGB; the last row may be followed by other bytes.
    public let pixels: Data

    /// Creates an image over pixels, without copying them.
    ///
    /// - Parameters:
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    ///   - pixelFormat: the meaning of the bytes of a pixel.
    ///   - bytesPerRow: the distance between the starts of two rows, in bytes; nil for rows without padding.
    ///   - pixels: the rows, top row first, in sRGB.
    /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` if the data is too small for the size.
    public init(width: Int, height: Int, pixelFormat: PixelFormat, bytesPerRow: Int? = nil, pixels: Data) throws {
        let (rowBytes, rowOverflow) = width.multipliedReportingOverflow(by: pixelFormat.bytesPerPixel)
        let distance = bytesPerRow ?? rowBytes
        let (body, bodyOverflow) = distance.multipliedReportingOverflow(by: max(height - 1, 0))
        let (size, sizeOverflow) = body.addingReportingOverflow(rowBytes)
        guard width > 0, height > 0, !rowOverflow, !bodyOverflow, !sizeOverflow, distance >= rowBytes,
            size <= pixels.count
        else {
            throw SensitivityAnalysisError(
                .invalidArgument,
                message: "An image of \(width) × \(height) pixels needs rows of at least width × bytes per pixel, and"
                    + " the data must hold them all.")
        }
        self.width = width
        self.height = height
        self.bytesPerRow = distance
        self.pixelFormat = pixelFormat
        self.pixels = pixels
    }

    /// The meaning of the bytes of a pixel, in their order in memory.
    public enum PixelFormat: Sendable, Hashable, CaseIterable {
        /// One byte of brightness.
        case gray8
        case rgb24
        case bgr24
        /// Red, green, blue and an unused byte.
        case rgbx32
        case bgrx32
        /// Red, green, blue and opacity, with colours not multiplied by opacity.
        case rgba32
        case bgra32
        /// Red, green, blue and opacity, with colours multiplied by opacity.
        case rgba32Premultiplied
        case bgra32Premultiplied

        /// The size of a pixel, in bytes.
        public var bytesPerPixel: Int {
            switch self {
            case .gray8: 1
            case .rgb24, .bgr24: 3
            default: 4
            }
        }
    }
}
#endif
