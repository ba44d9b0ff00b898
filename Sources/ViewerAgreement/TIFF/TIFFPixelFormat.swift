// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The storage format of the pixels of a TIFF picture.
///
/// Source: TIFF revision 6.0, sections 8, 14 and 16.
struct TIFFPixelFormat {
    var sampleCount: Int?
    var photometric: Int?
    var compression: Int?
    var predictor: Int?
    /// Whether each sample of the pixels, such as red, lies in strips or tiles of its own (a plane).
    var hasPlanes = false
    /// The number of bits of each sample.
    var depths = [1]
    /// Whether the lowest bit of a byte comes first.
    var isReversed = false
    var hasPalette = false
    /// The columns and rows of pixels that share a colour of YCbCr; programs differ about pixels that share one.
    var sharedColours: [Int] = []
    /// Whether YCbCr has coefficients, or levels of black and white, of its own, which only libtiff obeys.
    var hasOwnColours = false
    /// Whether tags change the meaning of levels, as in raw pictures of cameras.
    var hasOwnLevels = false

    var isDeflated: Bool { compression.map(Self.deflateCompressions.contains) == true }

    /// Whether opacity follows the number of each pixel in a palette of 256 colours.
    ///
    /// FFmpeg reads the numbers as grey.
    var isPaletteWithOpacity: Bool {
        photometric == Self.palette && sampleCount == 2 && Set(depths) == [8] && !hasPlanes && hasPalette
    }

    /// Whether the pixels are YCbCr of 8 bits that libjpeg does not convert.
    ///
    /// libvips 8.14 reads them as RGB.
    var isPlainYCbCr: Bool {
        photometric == Self.yCbCr && compression.map(Self.jpegCompressions.contains) != true && sampleCount == 3
            && Set(depths) == [8] && !hasPlanes && sharedColours == [1, 1] && !hasOwnColours
    }

    /// The number of planes, which have strips or tiles of their own.
    var planeCount: Int { hasPlanes ? max(sampleCount ?? 1, 1) : 1 }

    /// The number of bits of a pixel in one strip or tile; samples in separate planes are not added.
    var bitsPerPixel: Int {
        // If there are fewer depths than samples, the last depth applies to the rest.
        let last = depths.last ?? 1
        let missing = max(0, (sampleCount ?? 1) - depths.count)
        return hasPlanes ? last : depths.reduce(0) { $0 &+ $1 } &+ missing &* last
    }

    /// Checks that all programs read the pixels in the same way.
    ///
    /// - Throws: `ambiguousRendering`.
    func check() throws(DecodingFailure) {
        // libvips 8.14 reads planes of grey with opacity, and of colours other than grey, RGB, palettes and inks, as if
        // their samples alternated. It cannot read planes of less than 8 bits.
        guard
            !hasPlanes
                || (sampleCount != 2 && depths.allSatisfy { $0 >= 8 }
                    && photometric.map(Self.photometricsInPlanes.contains) != false)
        else {
            throw DecodingFailure(.planes, .tiff)
        }
        // FFmpeg applies a palette to any colours. Except for fax, it reads bytes from their highest bit on.
        guard photometric == Self.palette || !hasPalette else { throw DecodingFailure(.paletteBesideColours, .tiff) }
        guard
            !isReversed || depths.allSatisfy({ $0 >= 8 }) || compression.map(Self.faxCompressions.contains) == true
        else {
            throw DecodingFailure(.oppositeBits, .tiff)
        }
        // Only FFmpeg applies such levels to pictures that are not raw.
        guard !hasOwnLevels else { throw DecodingFailure(.rawLevels, .tiff) }
        guard photometric != Self.palette || (sampleCount ?? 1) <= 1 || isPaletteWithOpacity else {
            throw DecodingFailure(.paletteWithOpacity, .tiff)
        }
        guard photometric != Self.yCbCr || compression == Self.jpegCompression || isPlainYCbCr else {
            throw DecodingFailure(.plainYCbCr, .tiff)
        }
        // libtiff ignores a predictor if the compression has none; Pillow and FFmpeg differ about it.
        guard predictor ?? 1 == 1 || compression.map(Self.compressionsWithPredictor.contains) == true else {
            throw DecodingFailure(.lonelyPredictor, .tiff)
        }
        // libvips 8.14 reads the opacity of Lab colours of 16 bits as a negative number.
        guard photometric.map(Self.labPhotometrics.contains) != true || (sampleCount ?? 0) <= 3 else {
            throw DecodingFailure(.opacityOfLab, .tiff)
        }
    }

    private static let deflateCompressions: Set<Int> = [8, 32_946]
    private static let faxCompressions: Set<Int> = [2, 3, 4]
    private static let palette = 3
    private static let jpegCompression = 7
    /// JPEG as the sixth revision of TIFF described it first, and as it is used today.
    private static let jpegCompressions: Set = [6, jpegCompression]
    /// LZW, two numbers for Deflate, LZMA and Zstandard.
    private static let compressionsWithPredictor: Set<Int> = [5, 8, 32_946, 34_925, 50_000]
    private static let yCbCr = 6
    /// White is zero, black is zero, RGB, palette, inks.
    private static let photometricsInPlanes: Set<Int> = [0, 1, 2, 3, 5]
    private static let labPhotometrics: Set<Int> = [8, 9, 10]
}
