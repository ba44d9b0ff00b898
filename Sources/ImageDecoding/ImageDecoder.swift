// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import CVipsShims
package import DecoderProtocol
package import DecoderService

/// Decodes pictures with libvips, in a process of its own.
package struct ImageDecoder: MediaDecoder {
    /// Starts libvips.
    ///
    /// Call it once, at the start of the process.
    ///
    /// - Throws: `internalError` where libvips cannot start.
    package init(program: String) throws(DecodingFailure) {
        guard unsafe program.withCString({ unsafe CVipsShims_start($0) }) == 0 else {
            throw VipsPicture.failure(.internalError)
        }
    }

    package var identity: DecoderIdentity {
        DecoderIdentity(library: "libvips \(vips_version(0)).\(vips_version(1)).\(vips_version(2))")
    }

    package func picture(
        in file: InputFile, _ request: ImageRequest
    ) throws(DecodingFailure) -> (MediaFormat, RenderedPicture) {
        guard let format = FormatSniffer.format(of: try file.bytes(at: 0, count: FormatSniffer.prefixLength)) else {
            throw DecodingFailure(.unknownFormat)
        }
        do throws(DecodingFailure) {
            // After the format, so that a search through folders can pass over a large file that is no media.
            guard UInt64(file.byteCount) <= request.maximumByteCount else {
                throw DecodingFailure(
                    .tooManyBytes, value: UInt64(file.byteCount), bound: request.maximumByteCount)
            }
            let minimum = ReductionTarget(
                minimumWidth: max(1, Int(request.minimumWidth)), minimumHeight: max(1, Int(request.minimumHeight)))
            var picture = try decode(file, format, PictureLimits(request: request), minimum)
            if request.findsTestPatterns {
                picture.testPatterns = try findTestPatterns(file, format, PictureLimits(request: request))
            }
            return (format, picture)
        } catch {
            var failure = error
            failure.format = format
            throw failure
        }
    }

    private func decode(
        _ file: InputFile, _ format: MediaFormat, _ limits: PictureLimits, _ target: ReductionTarget
    ) throws(DecodingFailure) -> RenderedPicture {
        switch format {
        case .gif: throw DecodingFailure(.severalPictures)
        case .video: throw DecodingFailure(.unsupportedFormat)
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
        let loaded = try PictureLoader(file: file, format: format, limits: limits, target: target).load()
        let picture = try loaded.picture.convertedToSRGB()
        return RenderedPicture(
            views: BackgroundComposer.views(of: try picture.pixels(), bandCount: picture.bandCount),
            width: picture.width, height: picture.height,
            originalWidth: loaded.originalWidth, originalHeight: loaded.originalHeight)
    }

    /// Decodes the picture once more, with enough pixels to read a code a fifth of it in size.
    private func findTestPatterns(
        _ file: InputFile, _ format: MediaFormat, _ limits: PictureLimits
    ) throws(DecodingFailure) -> TestPatternSet {
        let target = ReductionTarget(minimumWidth: 1024, minimumHeight: 1024)
        return try decode(file, format, limits, target).foundTestPatterns()
    }

    package func openMedia(_ file: InputFile, _ request: MediaRequest) throws(DecodingFailure) -> any MediaSession {
        throw DecodingFailure(.unsupportedFormat)
    }
}
