// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CHeifShims
internal import HelperProtocol
internal import HelperService

extension PictureLoader {
    /// Decodes a picture of a HEIF or AVIF file.
    ///
    /// In most of them two by two pixels share a colour. Older versions of libheif give each pixel its own one, and newer
    /// ones and browsers interpolate; see `loadJPEG(from:)`.
    func loadItem(_ number: Int?, _ part: FilePart, _ meaning: ColourMeaning) throws(DecodingFailure) -> RenderedPicture
    {
        let header = try VipsPicture.open(file, part, with: .heif(page: number))
        try limits.checkPicture(width: header.width, height: header.height, isStreamed: false)
        func decode(isSmooth: Bool) throws(DecodingFailure) -> ViewAverages.Averages {
            CHeifShims_begin(isSmooth, Int32(header.width), Int32(header.height))
            // libvips keeps the pixels of a picture as long as the picture, and there must not be two of them in memory.
            return try self.views(of: try VipsPicture.open(file, part, with: .heif(page: number)), meaning)
        }
        var views = try decode(isSmooth: true)
        let isDamaged = CHeifShims_is_damaged() || VipsPicture.takeDamage()
        // Of a damaged picture, as much as possible is judged.
        if isDamaged || CHeifShims_is_rough() { try views.add(try decode(isSmooth: false).views) }
        return try upright(views, of: header, isDamaged: isDamaged)
    }
}
