// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CJPEGShims
internal import HelperService

extension PictureLoader {
    /// Decodes the JPEG picture that begins at a place of the file.
    ///
    /// Where pixels share colours, most programs interpolate these, and FFmpeg's players give each pixel its own one. Where
    /// colours are cut off at black and white, the two may show different pictures, and both are views then.
    func loadJPEG(from start: Int) throws(DecodingFailure) -> RenderedPicture {
        let header = try VipsPicture.open(file, start == 0 ? nil : FilePart(start: start), with: .jpeg)
        try limits.checkPicture(width: header.width, height: header.height, isStreamed: true)
        let meaning = ColourMeaning(mayBeInverted: header.bandCount == 4)
        let isConverted = try meaning.renderings(of: header) !== header
        // Rows that have to be converted are held in memory, since libvips needs them there.
        if isConverted { try limits.checkPicture(width: header.width, height: header.height, isStreamed: false) }
        func decode(isSmooth: Bool) throws(DecodingFailure) -> JPEGViews {
            isConverted
                ? try converted(header, meaning, from: start, isSmooth: isSmooth)
                : try averaged(header, from: start, isSmooth: isSmooth)
        }
        var (views, isDamaged, sharing) = try decode(isSmooth: true)
        if sharing != CJPEGShims_not_shared {
            // Edges of light move by what is interpolated, and edges of colours hardly show.
            try views.add(try decode(isSmooth: false).views.views, asSeen: sharing != CJPEGShims_shared_levels)
        }
        return try upright(views, of: header, isDamaged: isDamaged)
    }

    /// The views of a JPEG picture, and what pixels share of which another way may show another picture.
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
        // Of a small picture, both ways together take less time than a second decoding of a few.
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
