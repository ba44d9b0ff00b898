// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import CVipsShims

extension VipsPicture {
    /// Returns rows of the picture, which must be requested in their order.
    func rows(from top: Int, count: Int) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_crop(image, $0, Int32(top), Int32(count)) }
    }

    /// Turns and mirrors the picture by an EXIF orientation; its pixels must be in memory.
    func upright(_ orientation: Int) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_upright(image, $0, Int32(orientation)) }
    }

    func bands(from first: Int, count: Int) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_extract_bands(image, $0, Int32(first), Int32(count)) }
    }

    /// Returns a picture with the bands of this picture, followed by the bands of the other.
    func joined(with other: VipsPicture) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_join_bands(image, other.image, $0) }
    }

    /// Returns an 8-bit picture with a band of opacity, which is 255 everywhere.
    func withOpaqueBand() throws(DecodingFailure) -> VipsPicture {
        let opaque = try bands(from: 0, count: 1).scaled(by: 0, plus: 255).rounded(to: VIPS_FORMAT_UCHAR)
        return try joined(with: opaque)
    }

    func scaled(by factor: Double, plus summand: Double = 0) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_linear(image, $0, factor, summand) }
    }

    /// Returns the picture with its values rounded to a number format; a cast alone would truncate them.
    func rounded(to format: VipsBandFormat) throws(DecodingFailure) -> VipsPicture {
        let isWhole = format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT
        let shifted = isWhole ? try scaled(by: 1, plus: 0.5) : self
        return try unsafe Self.result { unsafe CVipsShims_cast(shifted.image, $0, format) }
    }

    func interpreted(as interpretation: VipsInterpretation) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_copy_interpretation(image, $0, interpretation) }
    }

    /// Converts to 8-bit sRGB by the embedded profile, or by the libvips profile `fallback` if there is none.
    func profileConvertedToSRGB(fallback: String?, _ intent: VipsIntent) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_icc_to_srgb(image, $0, fallback, intent) }
    }

    /// Returns the same pixels with another embedded profile, or with none.
    func withProfile(_ profile: [UInt8]?) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_with_profile(image, $0, profile, profile?.count ?? 0) }
    }

    func multiplied(by other: VipsPicture) throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_multiply(image, other.image, $0) }
    }

    /// Divides the colours of a picture of 8-bit levels by its opacity, which is the last band.
    func dividedByOpacity() throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_unpremultiply(image, $0) }.rounded(to: VIPS_FORMAT_UCHAR)
    }

    /// Returns a picture of 8-bit levels in another size; transparent colours have no weight.
    func resized(by factor: Double) throws(DecodingFailure) -> VipsPicture {
        guard bandCount == 4 else { return try unsafe Self.result { unsafe CVipsShims_resize(image, $0, factor) } }
        let multiplied = try unsafe Self.result { unsafe CVipsShims_premultiply(image, $0) }
        let resized = try unsafe Self.result { unsafe CVipsShims_resize(multiplied.image, $0, factor) }
        return try unsafe Self.result { unsafe CVipsShims_unpremultiply(resized.image, $0) }
            .rounded(to: VIPS_FORMAT_UCHAR)
    }

    /// Converts to 8-bit sRGB by the declared interpretation of the bands.
    func interpretationConvertedToSRGB() throws(DecodingFailure) -> VipsPicture {
        try unsafe Self.result { unsafe CVipsShims_colourspace(image, $0, VIPS_INTERPRETATION_sRGB) }
    }
}

/// The values of the header.
extension VipsPicture {
    var width: Int { unsafe Int(vips_image_get_width(image)) }
    var height: Int { unsafe Int(vips_image_get_height(image)) }
    var bandCount: Int { unsafe Int(vips_image_get_bands(image)) }
    var format: VipsBandFormat { unsafe vips_image_get_format(image) }
    var interpretation: VipsInterpretation { unsafe vips_image_get_interpretation(image) }
    var hasAlpha: Bool { unsafe vips_image_hasalpha(image) != 0 }
    /// Whether each pixel packs three numbers of a Lab colour into four bytes, as libvips reads Lab from TIFF files.
    var isPackedLab: Bool { unsafe vips_image_get_coding(image) == VIPS_CODING_LABQ }
    /// The number of pictures that the loader has counted.
    ///
    /// The accessor of libvips is not used, because it returns 1 from 10,000 pictures on.
    var pageCount: Int {
        var count: Int32 = 0
        guard unsafe vips_image_get_typeof(image, VIPS_META_N_PAGES) != 0,
            unsafe vips_image_get_int(image, VIPS_META_N_PAGES, &count) == 0
        else { return 1 }
        return Int(count)
    }
    /// The height of each picture if several pictures are placed in one column.
    var pageHeight: Int { unsafe Int(vips_image_get_page_height(image)) }
    /// The duration of each picture of an animation, in milliseconds.
    var delays: [Int] {
        var values: UnsafeMutablePointer<Int32>?
        var count: Int32 = 0
        guard unsafe vips_image_get_typeof(image, "delay") != 0,
            unsafe vips_image_get_array_int(image, "delay", &values, &count) == 0, let values = unsafe values
        else { return [] }
        return (0..<Int(count)).map { unsafe Int(values[$0]) }
    }
    /// The number of times that an animation is shown; 0 means without end.
    var loopCount: Int {
        var count: Int32 = 0
        guard unsafe vips_image_get_typeof(image, "loop") != 0, unsafe vips_image_get_int(image, "loop", &count) == 0
        else { return 0 }
        return Int(count)
    }
    /// The EXIF orientation, 1 to 8.
    var orientation: Int { unsafe Int(vips_image_get_orientation(image)) }
    /// The embedded colour profile.
    var profile: [UInt8]? {
        var data: UnsafeRawPointer?
        var size = 0
        guard unsafe vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0,
            unsafe vips_image_get_blob(image, VIPS_META_ICC_NAME, &data, &size) == 0, let data = unsafe data
        else { return nil }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: size))
    }
}
