// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CHeifShims
internal import CVips
internal import CVipsShims
package import DecoderService
package import HelperProtocol
package import ViewerAgreement

/// Decodes pictures with libvips, in a process of its own.
package struct ImageDecoder: MediaDecoder {
    /// The size in bytes up to which freed memory blocks are kept for reuse; the reduced pixels of a photograph fit in
    /// one, and libvips itself needs much more.
    package static let largestReusedBlock = 4 << 20

    private let memory: UnpackedFile

    /// Starts libvips; call this once, at the start of the process.
    ///
    /// - Parameter program: the name of the program, `argv[0]`.
    /// - Throws: `internalError` if libvips cannot start or libheif has an unexpected version.
    package init(program: String) throws(DecodingFailure) {
        guard unsafe program.withCString({ unsafe CVipsShims_start($0) }) == 0 else {
            throw VipsPicture.failure(.internalError)
        }
        // Plug-ins load now, before the sandbox prevents it. A missing plug-in fails only requests for its format.
        if unsafe CVipsShims_load_plugin("heif", "VipsForeignLoadHeif") == 0, CHeifShims_start() != 0 {
            throw DecodingFailure(.internalError, detail: "libheif is of another version")
        }
        _ = unsafe CVipsShims_load_plugin("jxl", "VipsForeignLoadJxl")
        vips_error_clear()
        memory = try UnpackedFile()
    }

    package var library: String { "libvips \(vips_version(0)).\(vips_version(1)).\(vips_version(2))" }

    package func open(
        _ file: InputFile, _ format: MediaFormat, _ request: OpenRequest
    ) throws(DecodingFailure) -> FileAnswer<OpenedContent> {
        // A video is answered before the size check, because videos have their own limit.
        guard format != .video else { return .content(.video) }
        try request.limits.checkFile(byteCount: file.byteCount)
        let pictures = try PicturePlaces(file, format, request.limits, memory)
        if let place = pictures.onlyPlace {
            var budget = SearchBudget()
            return .value(.picture(try picture(at: place, of: file, format, request.picture, &budget)))
        }
        switch format {
        case .gif, .webp:
            let animation = try AnimationPictures(file, format, request.limits, displayedBy: .otherViewer)
            return .value(.session(AnimationSession(file, request, animation)))
        default:
            if pictures.places.count == 1, case .codestream(let info) = pictures.places[0] {
                let animation = try AnimationPictures(jpegXL: file, info, request.limits)
                return .value(.session(AnimationSession(file, request, animation)))
            }
            let pages = try PagesSession(file, format, request, pictures, decoder: self)
            guard let meaning = pictures.animation else { return .value(.session(pages)) }
            let animation = try AnimationPictures(png: file, request.limits, meaning, displayedBy: .otherViewer)
            return .value(.session(JoinedSessions(pages, AnimationSession(file, request, animation))))
        }
    }

    package func writeWholePicture(
        of file: InputFile, _ format: MediaFormat, _ request: WholePictureRequest, to output: WholePictureOutput
    ) throws(DecodingFailure) -> FileAnswer<WholePictureAnswer> {
        guard format != .video else { return .content(.video) }
        try request.limits.checkFile(byteCount: file.byteCount)
        let primary = PrimaryPicture(file: file, format: format, limits: request.limits, memory: memory)
        guard let opened = try primary.open() else {
            return .value(.elsewhere(MediaReply(format: format, trackCount: 0, sequence: .wholeFile)))
        }
        let writer = WholePictureWriter(format: format, request: request, output: output)
        return .value(.written(isDamaged: try writer.write(opened)))
    }

    package func openWholeFrames(
        of file: InputFile, _ format: MediaFormat, _ request: WholePictureRequest
    ) throws(DecodingFailure) -> FileAnswer<OpenedWholeFrames> {
        guard format != .video else { return .content(.video) }
        try request.limits.checkFile(byteCount: file.byteCount)
        if let animation = try PrimaryAnimation(file: file, format: format, limits: request.limits).open() {
            return .value(.session(WholeAnimation(animation, request)))
        }
        let elsewhere = OpenedWholeFrames.elsewhere(MediaReply(format: format, trackCount: 0, sequence: .wholeFile))
        if [.heic, .avif].contains(format), let items = try? PictureItems(file), items.hasSequence,
            items.embeddedVideo == nil
        {
            return .value(elsewhere)
        }
        let primary = PrimaryPicture(file: file, format: format, limits: request.limits, memory: memory)
        guard let opened = try primary.open() else { return .value(elsewhere) }
        return .value(
            .session(
                OnlyWholeFrame(format) { output throws(DecodingFailure) in
                    // The picture is read from the file, which must stay open until then.
                    defer { withExtendedLifetime(file) {} }
                    return try WholePictureWriter(format: format, request: request, output: output).write(opened)
                }))
    }

    /// Decodes one picture of a file and, if requested, looks for test patterns in it.
    func picture(
        at place: PictureLoader.Place, of file: InputFile, _ format: MediaFormat, _ request: ImageRequest,
        _ budget: inout SearchBudget
    ) throws(DecodingFailure) -> RenderedPicture {
        var picture = try decode(place, file, format, request.limits, request.target)
        if request.findsTestPatterns {
            try picture.findTestPatterns(&budget) { () throws(DecodingFailure) in
                try decode(place, file, format, request.limits, .forTestPatterns)
            }
        }
        return picture
    }

    private func decode(
        _ place: PictureLoader.Place, _ file: InputFile, _ format: MediaFormat, _ limits: AnalysisLimits,
        _ target: ReductionTarget
    ) throws(DecodingFailure) -> RenderedPicture {
        try PictureLoader(file: file, format: format, limits: limits, target: target).load(place)
    }
}

extension ImageRequest {
    /// The size to which pictures may be reduced.
    var target: ReductionTarget {
        ReductionTarget(minimumWidth: max(1, Int(minimumWidth)), minimumHeight: max(1, Int(minimumHeight)))
    }
}

extension ReductionTarget {
    /// The target for test patterns; it can still read a code that is a fifth as wide as the picture's shorter side.
    static let forTestPatterns = ReductionTarget(
        minimumWidth: TestPatternScanner.shorterSide, minimumHeight: TestPatternScanner.shorterSide,
        keepsProportions: true)
}
