// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import CVipsShims
package import HelperProtocol
package import HelperService

/// Decodes pictures with libvips, in a process of its own.
package struct ImageDecoder: MediaDecoder {
    /// Enough for the reduced pixels of a photograph, and little against the memory of the library itself.
    package static let largestReusedBlock = 4 << 20

    /// Starts libvips.
    ///
    /// Call it once, at the start of the process.
    ///
    /// - Throws: `internalError` where libvips cannot start.
    package init(program: String) throws(DecodingFailure) {
        guard unsafe program.withCString({ unsafe CVipsShims_start($0) }) == 0 else {
            throw VipsPicture.failure(.internalError)
        }
        // Now, since nothing can be loaded once the process is closed. Where one is not installed, its format says so.
        _ = unsafe CVipsShims_load_plugin("heif", "VipsForeignLoadHeif")
        _ = unsafe CVipsShims_load_plugin("jxl", "VipsForeignLoadJxl")
        vips_error_clear()
    }

    package var library: String { "libvips \(vips_version(0)).\(vips_version(1)).\(vips_version(2))" }

    package func picture(
        in file: InputFile, _ request: ImageRequest
    ) throws(DecodingFailure) -> (MediaFormat, RenderedPicture) {
        try file.withFormat { format, _ throws(DecodingFailure) in
            // Before the size, for which videos have a limit of their own.
            guard format != .video else { throw DecodingFailure(.unsupportedFormat) }
            // After the format, so that a search through folders can pass over a large file that is no media.
            try file.checkByteCount(request)
            var picture = try decode(file, format, PictureLimits(request: request), request.target)
            if request.findsTestPatterns {
                picture.testPatterns = try findTestPatterns(file, format, PictureLimits(request: request))
            }
            return (format, picture)
        }
    }

    private func decode(
        _ file: InputFile, _ format: MediaFormat, _ limits: PictureLimits, _ target: ReductionTarget
    ) throws(DecodingFailure) -> RenderedPicture {
        switch format {
        case .gif: throw DecodingFailure(.severalPictures)
        case .bmp:
            let bitmapFile = try BitmapFile(file, limits, target)
            let bitmap = try bitmapFile.decoded()
            return RenderedPicture(
                views: BackgroundComposer.views(of: bitmap.pixels, bandCount: bitmap.bandCount),
                width: bitmap.width, height: bitmap.height,
                originalWidth: bitmapFile.width, originalHeight: bitmapFile.height)
        case .png where try SeveralPictures.isAnimatedPNG(file): throw DecodingFailure(.severalPictures)
        default: break
        }
        return try Self.load(PictureLoader(file: file, format: format, limits: limits, target: target))
    }

    private static func load(_ loader: PictureLoader) throws(DecodingFailure) -> RenderedPicture {
        let loaded = try loader.load()
        var picture = try rendered(
            loaded.picture, originalWidth: loaded.originalWidth, originalHeight: loaded.originalHeight)
        picture.isDamaged = loaded.isDamaged
        return picture
    }

    /// The views of a picture that is reduced and upright.
    static func rendered(
        _ picture: VipsPicture, originalWidth: Int, originalHeight: Int
    ) throws(DecodingFailure) -> RenderedPicture {
        let converted = try picture.convertedToSRGB()
        return RenderedPicture(
            views: BackgroundComposer.views(of: try converted.pixels(), bandCount: converted.bandCount),
            width: converted.width, height: converted.height, originalWidth: originalWidth,
            originalHeight: originalHeight)
    }

    /// Decodes the picture once more, with enough pixels to read a code a fifth of its shorter side in size.
    private func findTestPatterns(
        _ file: InputFile, _ format: MediaFormat, _ limits: PictureLimits
    ) throws(DecodingFailure) -> TestPatternSet {
        try decode(file, format, limits, .forTestPatterns).foundTestPatterns()
    }

    package func openMedia(_ file: InputFile, _ request: MediaRequest) throws(DecodingFailure) -> any MediaSession {
        try file.withFormat { format, _ throws(DecodingFailure) -> any MediaSession in
            try file.checkByteCount(request.picture)
            switch format {
            case .gif, .webp: return try AnimationSession(file, format, request)
            case .tiff, .heic, .avif, .png: return try PagesSession(file, format, request, decoder: self)
            case .jpegXL: throw DecodingFailure(.severalPictures)
            case .jpeg, .bmp, .video: throw DecodingFailure(.unsupportedFormat)
            }
        }
    }

    /// Decodes one picture of a file with several, and looks for the test pattern in it where that is wished.
    func page(
        _ page: Int?, of file: InputFile, _ format: MediaFormat, _ request: ImageRequest
    ) throws(DecodingFailure) -> RenderedPicture {
        let limits = PictureLimits(request: request)
        var picture = try Self.load(
            PictureLoader(file: file, format: format, limits: limits, target: request.target, page: page))
        if request.findsTestPatterns {
            let large = PictureLoader(
                file: file, format: format, limits: limits, target: .forTestPatterns, page: page)
            picture.testPatterns = try Self.load(large).foundTestPatterns()
        }
        return picture
    }
}

extension ImageRequest {
    /// How far pictures may be reduced.
    var target: ReductionTarget {
        ReductionTarget(minimumWidth: max(1, Int(minimumWidth)), minimumHeight: max(1, Int(minimumHeight)))
    }
}

extension ReductionTarget {
    /// Enough pixels to read a code a fifth of the shorter side in size.
    static let forTestPatterns = ReductionTarget(minimumWidth: 1024, minimumHeight: 1024, keepsProportions: true)
}
