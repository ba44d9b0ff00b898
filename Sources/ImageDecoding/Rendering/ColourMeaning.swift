// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVips
internal import ViewerAgreement

/// The meaning that a file gives to its colours, besides the pixels and the profile that libvips reports.
struct ColourMeaning {
    /// Profiles that are equivalent to a gamma or primaries that the file names and libvips does not apply.
    var impliedProfiles: [[UInt8]] = []
    /// Whether the file has a profile, even if the library that reads the file does not report it.
    var hasProfile = false
    /// The profile that the file holds, which other programs may apply if the library that reads the file drops it.
    var embeddedProfile: [UInt8]?
    /// Whether colours are already multiplied by opacity.
    var isPremultiplied = false
    /// Whether inks may be stored inverted.
    var mayBeInverted = false

    /// Whether the file says more of its colours than their levels.
    var namesColours: Bool { !impliedProfiles.isEmpty || hasProfile }

    /// Returns all renderings as the bands of one 8-bit picture; opacity, if there is any, is the last band.
    ///
    /// The first rendering is that of a viewer that obeys profiles. A picture that needs no conversion is returned
    /// itself, with one band if it is grey.
    ///
    /// - Throws: `ambiguousRendering` if a viewer may show a rendering that cannot be made here.
    func renderings(of picture: VipsPicture) throws(DecodingFailure) -> VipsPicture {
        guard picture.hasAlpha, picture.bandCount > 1, !picture.isPackedLab else {
            let colours = try colours(of: picture)
            let isPlainGrey =
                picture.interpretation == VIPS_INTERPRETATION_B_W && picture.format == VIPS_FORMAT_UCHAR
                && picture.bandCount == 1
            return colours.count == 1 && isPlainGrey ? picture : try joined(colours)
        }
        let last = picture.bandCount - 1
        guard [1, 3, 4].contains(last) else {
            // Programs differ about the sample that is opacity.
            throw DecodingFailure(.unusualSamples(picture.bandCount))
        }
        return try joined(try colours(of: try picture.bands(from: 0, count: last)))
            .joined(with: try picture.opacityInEightBits())
    }

    /// Returns the picture as a viewer that obeys profiles shows it: 8-bit sRGB, with opacity if there is any.
    ///
    /// A profile that cannot be applied is ignored, as most viewers do. A picture that needs no conversion is returned
    /// itself.
    func shown(_ picture: VipsPicture) throws(DecodingFailure) -> VipsPicture {
        guard picture.hasAlpha, picture.bandCount > 1, !picture.isPackedLab else {
            return try shownColours(of: picture)
        }
        let colours = try shownColours(of: try picture.bands(from: 0, count: picture.bandCount - 1))
            .joined(with: try picture.opacityInEightBits())
        return isPremultiplied ? try colours.dividedByOpacity() : colours
    }

    private func shownColours(of picture: VipsPicture) throws(DecodingFailure) -> VipsPicture {
        if let first = try? colours(of: picture).first { return first }
        return try Self.unmanaged(picture)
    }

    private func joined(_ colours: [VipsPicture]) throws(DecodingFailure) -> VipsPicture {
        var joined = colours[0]
        for colour in colours.dropFirst() { joined = try joined.joined(with: colour) }
        return joined
    }

    /// Returns the renderings of a picture without opacity, each of three bands of 8 bits.
    private func colours(of picture: VipsPicture) throws(DecodingFailure) -> [VipsPicture] {
        var colours: [VipsPicture] = []
        for bytes in impliedProfiles { colours += try Self.implied(bytes, picture) }
        let isCMYK = picture.interpretation == VIPS_INTERPRETATION_CMYK
        if isCMYK || Self.profiledInterpretations.contains(picture.interpretation) {
            // Programs differ in strictness: another program may apply a profile that libpng drops. libspng drops none.
            let bytes = picture.profile ?? embeddedProfile
            guard bytes != nil || !hasProfile else { throw ColourProfile.unsupported("it cannot be unpacked") }
            let profile: ColourProfile? = if let bytes { try ColourProfile(bytes) } else { nil }
            if let points = profile?.unusualPoints {
                guard let implied = RGBProfile.profiles(for: points) else {
                    throw ColourProfile.unsupported("an unusual transfer function")
                }
                for profile in implied { colours += try Self.implied(profile.bytes, picture) }
            }
            colours += try Self.managed(try picture.withProfile(profile?.bytes), profile)
        }
        if picture.interpretation == VIPS_INTERPRETATION_scRGB, picture.bandCount == 3 {
            // Some programs read floating point numbers as light, others as levels.
            return colours + [
                try Self.unmanaged(picture),
                try picture.scaled(by: 255).rounded(to: VIPS_FORMAT_UCHAR).interpreted(as: VIPS_INTERPRETATION_sRGB),
            ]
        }
        if picture.bandCount == 1, picture.format == VIPS_FORMAT_USHORT {
            // Pillow clips 16-bit grey levels at 255 when it converts a picture.
            let clipped = try picture.rounded(to: VIPS_FORMAT_UCHAR)
            return colours + [
                try Self.unmanaged(picture),
                try clipped.joined(with: clipped).joined(with: clipped).interpreted(as: VIPS_INTERPRETATION_sRGB),
            ]
        }
        guard isCMYK else { return colours + [try Self.unmanaged(picture)] }
        let inks = try picture.inEightBits()
        colours.append(try inks.paperWithoutInks())
        if mayBeInverted { colours.append(try inks.scaled(by: -1, plus: 255).inEightBits().paperWithoutInks()) }
        return colours
    }

    /// Returns the renderings by a profile that is equivalent to what the file says.
    private static func implied(_ bytes: [UInt8], _ picture: VipsPicture) throws(DecodingFailure) -> [VipsPicture] {
        let profile = try ColourProfile(bytes)
        // libvips makes too few steps of a table for 16 bits, of which eight are enough for another rendering.
        let isCoarse = picture.format == VIPS_FORMAT_USHORT && profile?.hasEvenCurves == false
        let source = isCoarse ? try picture.inEightBits().interpretedInEightBits() : picture
        return try managed(try source.withProfile(bytes), profile)
    }

    /// Converts the picture by its numbers alone, without its profile.
    private static func unmanaged(_ picture: VipsPicture) throws(DecodingFailure) -> VipsPicture {
        guard
            picture.interpretation != VIPS_INTERPRETATION_sRGB || picture.bandCount != 3
                || picture.format != VIPS_FORMAT_UCHAR
        else { return picture }
        let converted = try picture.interpretationConvertedToSRGB()
        guard converted.bandCount == 3, converted.format == VIPS_FORMAT_UCHAR else {
            throw DecodingFailure(.unsupportedVariant, detail: "\(picture.bandCount) bands of an unknown meaning")
        }
        return converted
    }

    /// Returns the renderings by a profile; none if viewers ignore it or it changes no level.
    private static func managed(
        _ picture: VipsPicture, _ profile: ColourProfile?
    ) throws(DecodingFailure) -> [VipsPicture] {
        let isCMYK = picture.interpretation == VIPS_INTERPRETATION_CMYK
        guard let profile else {
            return isCMYK ? [try picture.profileConvertedToSRGB(fallback: "cmyk", VIPS_INTENT_RELATIVE)] : []
        }
        var picture = picture
        if profile.channelCount == 3, picture.bandCount == 1 {
            // Browsers decode grey as equal levels of red, green and blue, and apply an RGB profile to these.
            picture = try picture.joined(with: picture).joined(with: picture)
                .interpreted(
                    as: picture.format == VIPS_FORMAT_USHORT ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB)
        }
        if profile.channelCount == 1, picture.bandCount == 3 {
            // libheif returns a grey level as three equal levels, to which viewers apply a profile for grey.
            let grey = try picture.bands(from: 0, count: 1)
                .interpreted(
                    as: picture.format == VIPS_FORMAT_USHORT ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W)
            return try managed(grey, profile)
        }
        // No viewer applies a profile for another number of channels.
        guard profile.channelCount == picture.bandCount else {
            return try managed(try picture.withProfile(nil), nil)
        }
        guard picture.format != VIPS_FORMAT_USHORT || profile.hasEvenCurves else {
            throw ColourProfile.unsupported("uneven curves for 16 bits")
        }
        let intents = profile.intents
        if profile.isCurvesAndMatrix, try changesNothing(profile) { return [] }
        let other = try profile.withoutTables()
        let byCurves = other == nil ? [] : try managed(try picture.withProfile(other?.bytes), other)
        var renderings = byCurves
        var refusal: DecodingFailure?
        for intent in intents {
            let converted: VipsPicture
            do throws(DecodingFailure) {
                converted = try picture.profileConvertedToSRGB(fallback: nil, intent)
            } catch {
                // A profile need not support each intent; libvips then refuses the conversion.
                refusal = error
                continue
            }
            guard converted.bandCount == 3, converted.format == VIPS_FORMAT_UCHAR else {
                throw ColourProfile.unsupported("\(converted.bandCount) bands")
            }
            renderings.append(converted)
        }
        guard renderings.count > byCurves.count else { throw ColourProfile.unsupported(refusal?.detail ?? "") }
        return renderings
    }

    /// Returns whether a profile changes every level of each channel and of grey by at most two.
    private static func changesNothing(_ profile: ColourProfile) throws(DecodingFailure) -> Bool {
        guard profile.channelCount == 3 else { return false }
        var levels: [UInt8] = []
        for weights in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]] as [[UInt8]] {
            for level in UInt8.min...UInt8.max { levels += weights.map { $0 * level } }
        }
        let ramps = try VipsPicture.inMemory(levels, width: 256, height: 4)
            .interpreted(as: VIPS_INTERPRETATION_sRGB).withProfile(profile.bytes)
        let converted = try? ramps.profileConvertedToSRGB(fallback: nil, VIPS_INTENT_RELATIVE).pixels()
        guard let converted, converted.count == levels.count else { return false }
        return zip(levels, converted).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
    }

    /// The kinds of pixels that a profile can describe.
    ///
    /// libvips 8.14 would also apply a profile to floating point and Lab pictures, which is wrong.
    private static let profiledInterpretations: [VipsInterpretation] = [
        VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_RGB16, VIPS_INTERPRETATION_B_W,
        VIPS_INTERPRETATION_GREY16,
    ]
}

extension ColourMeaning {
    /// Creates the meaning that the chunks of a PNG file give to colours.
    init(_ colour: PNGColour) {
        self.init(
            impliedProfiles: colour.impliedProfiles, hasProfile: colour.hasProfile,
            embeddedProfile: colour.embeddedProfile)
    }
}

extension VipsPicture {
    /// Returns the last band as opacity from 0 to 255; libvips scales it in some colour conversions only.
    fileprivate func opacityInEightBits() throws(DecodingFailure) -> VipsPicture {
        try bands(from: bandCount - 1, count: 1).scaled(by: 255 / opaqueAlpha).rounded(to: VIPS_FORMAT_UCHAR)
    }

    /// The value of the alpha band that means opaque.
    private var opaqueAlpha: Double {
        switch format {
        case VIPS_FORMAT_USHORT: 65_535
        case VIPS_FORMAT_FLOAT, VIPS_FORMAT_DOUBLE: interpretation == VIPS_INTERPRETATION_scRGB ? 1 : 255
        default: 255
        }
    }

    /// Returns a picture whose levels fill 8 or 16 bits; libvips leaves the lower bits at 0.
    ///
    /// - Parameter depth: the number of the upper bits that hold levels.
    func widened(fromBits depth: Int) throws(DecodingFailure) -> VipsPicture {
        guard depth != 8, depth != 16 else { return self }
        let bits = depth < 8 ? 8 : 16
        let (most, stored) = ((1 << bits) - 1, ((1 << depth) - 1) << (bits - depth))
        return try scaled(by: Double(most) / Double(stored)).rounded(to: format)
    }

    /// Returns the picture with 8 bits a sample.
    func inEightBits() throws(DecodingFailure) -> VipsPicture {
        switch format {
        case VIPS_FORMAT_UCHAR: self
        case VIPS_FORMAT_USHORT: try scaled(by: 1 / 257).rounded(to: VIPS_FORMAT_UCHAR)
        default: try rounded(to: VIPS_FORMAT_UCHAR)
        }
    }

    /// Returns a picture of 8 bits that is read as levels of sRGB or of grey.
    fileprivate func interpretedInEightBits() throws(DecodingFailure) -> VipsPicture {
        try interpreted(as: bandCount < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB)
    }

    /// Returns RGB as programs make it from four inks without a profile: (1 − ink) × (1 − black) for each colour.
    fileprivate func paperWithoutInks() throws(DecodingFailure) -> VipsPicture {
        let rest = try scaled(by: -1, plus: 255)
        return try rest.bands(from: 0, count: 3).multiplied(by: try rest.bands(from: 3, count: 1))
            .scaled(by: 1 / 255).rounded(to: VIPS_FORMAT_UCHAR).interpreted(as: VIPS_INTERPRETATION_sRGB)
    }
}
