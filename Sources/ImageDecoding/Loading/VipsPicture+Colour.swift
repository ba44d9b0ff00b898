// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CVips
internal import HelperProtocol

extension VipsPicture {
    /// The value of the alpha band that means opaque.
    var opaqueAlpha: Double {
        switch format {
        case VIPS_FORMAT_USHORT: 65_535
        case VIPS_FORMAT_FLOAT, VIPS_FORMAT_DOUBLE: interpretation == VIPS_INTERPRETATION_scRGB ? 1 : 255
        default: 255
        }
    }

    /// The picture in 8-bit sRGB: three bands, or four where there is an alpha band.
    func convertedToSRGB() throws(DecodingFailure) -> VipsPicture {
        // libvips scales an alpha band with some conversions of colour and not with others.
        guard hasAlpha, bandCount > 1, !isPackedLab else { return try colourConvertedToSRGB() }
        let last = bandCount - 1
        let alpha = try bands(from: last, count: 1).scaled(by: 255 / opaqueAlpha).rounded(to: VIPS_FORMAT_UCHAR)
        let colour = try bands(from: 0, count: last)
        return try colour.colourConvertedToSRGB().joined(with: alpha)
    }

    private func colourConvertedToSRGB() throws(DecodingFailure) -> VipsPicture {
        let isCMYK = interpretation == VIPS_INTERPRETATION_CMYK
        if isCMYK || hasColourProfile && Self.profiledInterpretations.contains(interpretation) {
            let converted = try? profileConvertedToSRGB(fallback: isCMYK ? "cmyk" : nil)
            // A broken profile is no reason to refuse the picture: every viewer shows it without.
            if let converted, converted.bandCount == 3 { return converted }
        }
        let converted = try interpretationConvertedToSRGB()
        guard converted.bandCount == 3, converted.format == VIPS_FORMAT_UCHAR else {
            throw DecodingFailure(.unsupportedVariant, detail: "\(bandCount) bands of an unknown meaning")
        }
        return converted
    }

    /// What a profile can describe.
    ///
    /// libvips 8.14 would also apply one to floating point and Lab pictures, wrongly.
    private static let profiledInterpretations: [VipsInterpretation] = [
        VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_B_W,
        VIPS_INTERPRETATION_GREY16,
    ]
}
