// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CHeifShims
internal import DecoderService
internal import ViewerAgreement

extension PictureLoader {
    /// Decodes a picture of a HEIF or AVIF file.
    ///
    /// In most files, two by two pixels share a colour. Older versions of libheif give each pixel the shared colour.
    /// Newer versions and browsers interpolate; see `loadJPEG(from:)`.
    ///
    /// - Parameters:
    ///   - tileSizes: the sizes in pixels of the tiles that the picture may be made of, which libheif may leave blank.
    ///   - layer: the layer to show; nil for the picture that most programs show.
    func loadItem(
        _ number: Int?, _ part: FilePart, _ meaning: ColourMeaning, tileSizes: [(width: Int, height: Int)],
        _ layer: PictureItems.Layer?
    ) throws(DecodingFailure) -> RenderedPicture {
        var picture = try VipsPicture.open(file, part, with: .heif(page: number))
        let (width, height) = (picture.width, picture.height)
        try limits.checkPicture(width: width, height: height, isStreamed: false)
        /// Opens the picture anew. libvips keeps pixels as long as their picture, so the last one is released before.
        func reopen(_ mode: CHeifShims_Mode) throws(DecodingFailure) {
            picture = try VipsPicture.open(file, part, with: .heif(page: number))
            guard picture.width == width, picture.height == height else {
                throw DecodingFailure(.malformed, detail: "a picture whose size changes")
            }
            begin(mode)
        }
        func begin(_ mode: CHeifShims_Mode) { Self.begin(mode, width: width, height: height, layer) }
        begin(CHeifShims_smooth)
        var views = try views(of: picture, meaning)
        let (count, isRough) = (CHeifShims_picture_count(), CHeifShims_is_rough())
        var isDamaged = CHeifShims_is_damaged() || VipsPicture.takeDamage()
        if !tileSizes.isEmpty {
            if count > 1, !Self.haveSizes(tileSizes) { isDamaged = true }
            try reopen(CHeifShims_marked)
            if try !picture.isWhollyMarked() { isDamaged = true }
        }
        // A damaged picture is always judged with and without interpolated colours.
        if isDamaged || isRough {
            try reopen(CHeifShims_nearest)
            try views.add(try self.views(of: picture, meaning).views)
            if CHeifShims_is_damaged() || CHeifShims_picture_count() < count { isDamaged = true }
        }
        return try upright(views, of: picture, isDamaged: isDamaged)
    }

    /// Decodes a picture that is larger than memory allows, some rows of tiles after others.
    ///
    /// - Parameter changes: the changes of the file that every band needs.
    func loadRows(
        _ rows: TileRows, _ changes: FilePart, _ meaning: ColourMeaning
    ) throws(DecodingFailure) -> RenderedPicture {
        try limits.checkPicture(width: rows.width, height: rows.height, isStreamed: true)
        var (isRough, isDamaged) = (false, false)
        func averaged(_ mode: CHeifShims_Mode) throws(DecodingFailure) -> ViewAverages.Averages {
            var (averages, bandCount): (ViewAverages?, Int) = (nil, 0)
            for band in rows.bands {
                try limits.checkPicture(width: rows.width, height: band.height, isStreamed: false)
                var part = changes
                part.replacements += band.part.replacements
                let picture = try VipsPicture.open(file, part, with: .heif(page: nil))
                guard picture.width == rows.width, picture.height == band.height else {
                    throw DecodingFailure(.malformed, detail: "a row of tiles of another size")
                }
                Self.begin(mode, width: rows.width, height: rows.height)
                let renderings = try meaning.renderings(of: picture)
                if averages == nil {
                    bandCount = renderings.bandCount
                    averages = try ViewAverages(
                        width: rows.width, height: rows.height, bandCount: bandCount,
                        isPremultiplied: meaning.isPremultiplied,
                        factors: factors(width: rows.width, height: rows.height, orientation: rows.orientation))
                }
                guard let averages, renderings.bandCount == bandCount else {
                    throw DecodingFailure(.malformed, detail: "rows of tiles of different colours")
                }
                try unsafe renderings.forEachRow { unsafe averages.add($0) }
                if CHeifShims_is_rough() { isRough = true }
                // Each tile was decoded and fills its place, so no place is left blank.
                let isWhole = CHeifShims_picture_count() == band.tileCount && Self.haveSizes([rows.tileSize])
                if CHeifShims_is_damaged() || VipsPicture.takeDamage() || !isWhole { isDamaged = true }
            }
            guard let averages else { throw DecodingFailure(.malformed, detail: "no row of tiles") }
            return try averages.finish()
        }
        var views = try averaged(CHeifShims_smooth)
        if isDamaged || isRough { try views.add(try averaged(CHeifShims_nearest).views) }
        return try upright(
            views, width: rows.width, height: rows.height, orientation: rows.orientation, isDamaged: isDamaged)
    }

    /// Whether the smallest and the largest of the pictures that were decoded have one of the given sizes.
    ///
    /// libheif composes tiles of another size than their boxes say differently from run to run.
    private static func haveSizes(_ sizes: [(width: Int, height: Int)]) -> Bool {
        let found = CHeifShims_sizes()
        return sizes.contains { $0 == (Int(found.smallest_width), Int(found.smallest_height)) }
            && sizes.contains { $0 == (Int(found.largest_width), Int(found.largest_height)) }
    }

    private static func begin(
        _ mode: CHeifShims_Mode, width: Int, height: Int, _ layer: PictureItems.Layer? = nil
    ) {
        let chosen = CHeifShims_Layer(
            number: Int32(layer?.number ?? -1), point: Int32(layer?.point ?? 0), width: Int32(width),
            height: Int32(height))
        CHeifShims_begin(mode, Int32(width), Int32(height), chosen)
    }
}

extension VipsPicture {
    /// Whether all pixels are the same and bright, as they are if every tile of a marked picture has reached its place.
    ///
    /// A place without a tile keeps zeros, which are dark in every colour space.
    fileprivate func isWhollyMarked() throws(DecodingFailure) -> Bool {
        let picture = try inEightBits()
        let count = picture.width * picture.bandCount
        var first: [UInt8] = []
        var isWhole = true
        try unsafe picture.forEachRow { row in
            if first.isEmpty { first = (0..<bandCount).map { unsafe row[$0] } }
            for index in 0..<count {
                let (level, expected) = (unsafe row[index], first[index % first.count])
                if max(level, expected) - min(level, expected) > 2 { isWhole = false }
            }
        }
        let colors = first.prefix(bandCount == 2 || bandCount == 4 ? bandCount - 1 : bandCount)
        let opacity = first.dropFirst(colors.count)
        return isWhole && colors.contains { $0 >= 250 } && opacity.allSatisfy { $0 >= 250 }
    }
}
