// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CHeifShims
internal import HelperService

extension PictureLoader {
    /// Decodes a picture of a HEIF or AVIF file.
    ///
    /// In most files, two by two pixels share a colour. Older versions of libheif give each pixel the shared colour.
    /// Newer versions and browsers interpolate; see `loadJPEG(from:)`.
    ///
    /// - Parameter codedCount: how many coded pictures make the picture; if fewer were decoded, a tile is blank.
    func loadItem(
        _ number: Int?, _ part: FilePart, _ meaning: ColourMeaning, codedCount: Int
    ) throws(DecodingFailure) -> RenderedPicture {
        var picture = try VipsPicture.open(file, part, with: .heif(page: number))
        let (width, height) = (picture.width, picture.height)
        try limits.checkPicture(width: width, height: height, isStreamed: false)
        CHeifShims_begin(true, Int32(width), Int32(height))
        var views = try views(of: picture, meaning)
        let isDamaged =
            CHeifShims_is_damaged() || CHeifShims_picture_count() < codedCount || VipsPicture.takeDamage()
        // A damaged picture is always judged with and without interpolated colours.
        if isDamaged || CHeifShims_is_rough() {
            // libvips keeps pixels as long as their picture, so the first is released before the second is decoded.
            picture = try VipsPicture.open(file, part, with: .heif(page: number))
            guard picture.width == width, picture.height == height else {
                throw DecodingFailure(.malformed, detail: "a picture whose size changes")
            }
            CHeifShims_begin(false, Int32(width), Int32(height))
            try views.add(try self.views(of: picture, meaning).views)
        }
        return try upright(views, of: picture, isDamaged: isDamaged)
    }
}
