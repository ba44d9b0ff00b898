// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import CVipsShims
package import DecoderProtocol

/// Decodes pictures with libvips, in a process of its own.
package struct ImageDecoder {
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

    /// Decodes the picture in a file.
    ///
    /// - Returns: its shape, and the sealed memory of its views.
    /// - Throws: the reason why there is no picture, with the format as far as it is known.
    package func decode(
        _ descriptor: OwnedDescriptor, _ request: ImageRequest
    ) throws(DecodingFailure) -> (ImageReply, SealedMemory) {
        let file = try InputFile(descriptor)
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
            let picture = try decode(file, format, PictureLimits(request: request), minimum)
            var patterns: TestPatternSet = []
            if request.findsTestPatterns {
                patterns = try findTestPatterns(file, format, PictureLimits(request: request))
            }
            return try reply(picture, format, patterns)
        } catch {
            var failure = error
            failure.format = format
            throw failure
        }
    }

    private struct DecodedPicture {
        let views: [[UInt8]]
        let width: Int
        let height: Int
        let originalWidth: Int
        let originalHeight: Int
    }

    private func decode(
        _ file: InputFile, _ format: MediaFormat, _ limits: PictureLimits, _ target: ReductionTarget
    ) throws(DecodingFailure) -> DecodedPicture {
        switch format {
        case .gif: throw DecodingFailure(.severalPictures)
        case .video: throw DecodingFailure(.unsupportedFormat)
        case .bmp:
            let bitmapFile = try BitmapFile(file, limits, target)
            let bitmap = try bitmapFile.decoded()
            return DecodedPicture(
                views: BackgroundComposer.views(of: bitmap.pixels, bandCount: bitmap.bandCount),
                width: bitmap.width, height: bitmap.height,
                originalWidth: bitmapFile.width, originalHeight: bitmapFile.height)
        case .png where try SeveralPictures.isAnimatedPNG(file): throw DecodingFailure(.severalPictures)
        default: break
        }
        let loaded = try PictureLoader(file: file, format: format, limits: limits, target: target).load()
        let picture = try loaded.picture.convertedToSRGB()
        return DecodedPicture(
            views: BackgroundComposer.views(of: try picture.pixels(), bandCount: picture.bandCount),
            width: picture.width, height: picture.height,
            originalWidth: loaded.originalWidth, originalHeight: loaded.originalHeight)
    }

    /// Decodes the picture once more, with enough pixels to read a code a fifth of it in size.
    private func findTestPatterns(
        _ file: InputFile, _ format: MediaFormat, _ limits: PictureLimits
    ) throws(DecodingFailure) -> TestPatternSet {
        let target = ReductionTarget(minimumWidth: 1024, minimumHeight: 1024)
        let picture = try decode(file, format, limits, target)
        var found: TestPatternSet = []
        for view in picture.views {
            let scanned = Result { () throws(DecodingFailure) in
                try TestPatternScanner.patterns(in: view, width: picture.width, height: picture.height)
            }
            found.formUnion(try scanned.get())
        }
        return found
    }

    private func reply(
        _ picture: DecodedPicture, _ format: MediaFormat, _ patterns: TestPatternSet
    ) throws(DecodingFailure) -> (ImageReply, SealedMemory) {
        let viewSize = picture.width * picture.height * PixelImage.bytesPerPixel
        let memory: SealedMemory
        do {
            memory = try unsafe SealedMemory.filled(byteCount: viewSize * picture.views.count) { buffer in
                for (index, view) in picture.views.enumerated() {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(index * viewSize)...]).copyBytes(from: view)
                }
            }
        } catch {
            throw DecodingFailure(.internalError, detail: "no shared memory")
        }
        let image = ImageReply(
            format: format, originalWidth: UInt32(picture.originalWidth),
            originalHeight: UInt32(picture.originalHeight),
            pixels: PixelDescription(
                width: UInt32(picture.width), height: UInt32(picture.height),
                bytesPerRow: UInt32(picture.width * PixelImage.bytesPerPixel)),
            viewCount: UInt8(picture.views.count), testPatterns: patterns)
        return (image, memory)
    }
}
