// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CJPEGShims
internal import DecoderService
internal import ViewerAgreement

extension PictureLoader {
    /// Decodes the JPEG picture that begins at a position of the file.
    ///
    /// If pixels share colours, most programs interpolate; players based on FFmpeg give each pixel the shared colour.
    /// After clipping at black and white, the two pictures may differ visibly. Both are then views.
    func loadJPEG(from start: Int, orientationIfMissing: Int = 1) throws(DecodingFailure) -> RenderedPicture {
        let header = try VipsPicture.open(file, start == 0 ? nil : FilePart(start: start), with: .jpeg)
        try limits.checkPicture(width: header.width, height: header.height, isStreamed: true)
        let meaning = ColourMeaning(mayBeInverted: header.bandCount == 4)
        let isConverted = try meaning.renderings(of: header) !== header
        // libvips needs rows in memory to convert them.
        if isConverted { try limits.checkPicture(width: header.width, height: header.height, isStreamed: false) }
        func decode(isSmooth: Bool) throws(DecodingFailure) -> JPEGViews {
            isConverted
                ? try converted(header, meaning, from: start, isSmooth: isSmooth)
                : try averaged(header, from: start, isSmooth: isSmooth)
        }
        var (views, isDamaged, sharing) = try decode(isSmooth: true)
        if sharing != CJPEGShims_not_shared {
            // If pixels share brightness, edges move visibly, so each level is compared. Edges of colour hardly matter.
            try views.add(try decode(isSmooth: false).views.views, asSeen: sharing != CJPEGShims_shared_levels)
        }
        let orientation = header.orientation == 1 ? orientationIfMissing : header.orientation
        return try upright(views, of: header, orientation: orientation, isDamaged: isDamaged)
    }

    /// The views of a JPEG picture, and the samples that pixels share if a second decoding may show another picture.
    private typealias JPEGViews = (views: ViewAverages.Averages, isDamaged: Bool, sharing: CJPEGShims_Sharing)

    private func converted(
        _ header: VipsPicture, _ meaning: ColourMeaning, from start: Int, isSmooth: Bool
    ) throws(DecodingFailure) -> JPEGViews {
        let decoded = try header.decodedAsJPEG(file, from: start, isSmooth: isSmooth)
        return (try views(of: decoded.picture, meaning), decoded.isDamaged, decoded.sharing)
    }

    private func averaged(
        _ header: VipsPicture, from start: Int, isSmooth: Bool
    ) throws(DecodingFailure) -> JPEGViews {
        let averages = try averages(of: header, bandCount: header.bandCount, isPremultiplied: false)
        func sharedAverages(isSmooth: Bool) -> SharedColorAverages {
            SharedColorAverages(
                width: header.width, height: header.height, factors: factors(for: header), isSmooth: isSmooth)
        }
        let shared = sharedAverages(isSmooth: isSmooth)
        // For small pictures, averaging both ways in one pass costs less than decoding a few of them a second time.
        let isSmall = header.width * header.height <= Self.mostPixelsOfSmall
        let nearest = isSmooth && isSmall ? sharedAverages(isSmooth: false) : nil
        let result = try unsafe header.forEachJPEGRow(
            of: file, from: start, isSmooth: isSmooth,
            takeShared: { row in
                unsafe shared.add(row)
                if unsafe row.columns * row.rows > 1 { unsafe nearest?.add(row) }
            }, { unsafe averages.add($0) })
        guard shared.hasRows else {
            return (try averages.finish(), result.isDamaged, result.sharing)
        }
        var views = ViewAverages.Averages([shared.finish()], width: shared.width)
        if let nearest, shared.isRough { try views.add([nearest.finish()]) }
        return (
            views, result.isDamaged, nearest == nil && shared.isRough ? result.sharing : CJPEGShims_not_shared
        )
    }

    private static let mostPixelsOfSmall = 2_000_000
}
