// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import CVipsShims
internal import CWebP
internal import DecoderService
internal import ViewerAgreement

extension PictureLoader {
    /// Decodes the only picture of a WebP file.
    ///
    /// In a lossy picture, two by two pixels share a colour. libwebp interpolates colours by default. FFmpeg's decoder
    /// gives each pixel the shared colour; see `loadJPEG(from:)`.
    func loadWebP(_ part: FilePart?, isLossy: Bool) throws(DecodingFailure) -> RenderedPicture {
        let header = try VipsPicture.open(file, part, with: .webp)
        try limits.checkPicture(width: header.width, height: header.height, isStreamed: false)
        // libvips keeps pixels as long as their picture. A temporary picture is decoded, so memory never holds two.
        var views = try views(of: try VipsPicture.open(file, part, with: .webp), ColourMeaning())
        let isDamaged = VipsPicture.takeDamage()
        if isLossy, !isDamaged { try views.add(try self.views(of: try nearest(header, part), ColourMeaning()).views) }
        return try upright(views, of: header, isDamaged: isDamaged)
    }

    /// Decodes the picture into memory without interpolating colours, and keeps the values of its header.
    private func nearest(_ header: VipsPicture, _ part: FilePart?) throws(DecodingFailure) -> VipsPicture {
        guard header.format == VIPS_FORMAT_UCHAR, header.bandCount == 3 || header.bandCount == 4 else {
            throw DecodingFailure(.unsupportedVariant, format: .webp, detail: "\(header.bandCount) bands")
        }
        let bytes = try file.bytes(of: part ?? FilePart())
        let picture = try unsafe VipsPicture.result {
            unsafe CVipsShims_blank_copy(header.image, $0, Int32(header.width), Int32(header.height))
        }
        var config = unsafe WebPDecoderConfig()
        guard unsafe WebPInitDecoderConfig(&config) != 0 else {
            throw DecodingFailure(.internalError, detail: "libwebp is of another version")
        }
        let rowSize = header.width * header.bandCount
        unsafe config.options.no_fancy_upsampling = 1
        unsafe config.output.colorspace = header.bandCount == 4 ? MODE_RGBA : MODE_RGB
        unsafe config.output.is_external_memory = 1
        unsafe config.output.u.RGBA.rgba = picture.image.pointee.data
        unsafe config.output.u.RGBA.stride = Int32(rowSize)
        unsafe config.output.u.RGBA.size = rowSize * header.height
        // The file may have changed since its header was read. libwebp refuses a picture larger than the memory here.
        let status = unsafe WebPDecode(bytes, bytes.count, &config)
        let isWhole = unsafe config.output.width == header.width && config.output.height == header.height
        guard status == VP8_STATUS_OK, isWhole else {
            throw DecodingFailure(.malformed, format: .webp, detail: "libwebp stopped with \(status.rawValue)")
        }
        return picture
    }
}
