// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLCMS
internal import ViewerAgreement

/// An ICC profile of primaries and a curve, with which libvips can convert colours that a file names without a profile.
///
/// LittleCMS makes its bytes, and adapts the colours to the white of profiles by the Bradford method.
struct RGBProfile {
    let bytes: [UInt8]

    /// x and y of the white, red, green and blue of sRGB, in this order.
    static let sRGBPrimaries = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

    /// Returns the profiles by which viewers convert the colours of code points.
    ///
    /// Of a high dynamic range, there are three: one for each way of mapping the lights, and one for viewers that take
    /// the curve for that of sRGB.
    ///
    /// Source: Rec. ITU-T H.273, tables 2 and 3.
    ///
    /// - Returns: no profile for sRGB and unspecified colours; nil for colours that cannot be converted here.
    static func profiles(for points: CodePoints) -> [RGBProfile]? {
        let white = [0.3127, 0.3290]
        let primaries: [Double]
        switch points.primaries {
        case 1, 2: primaries = sRGBPrimaries
        case 5: primaries = white + [0.64, 0.33, 0.29, 0.60, 0.15, 0.06]
        case 6, 7: primaries = white + [0.630, 0.340, 0.310, 0.595, 0.155, 0.070]
        case 9: primaries = white + [0.708, 0.292, 0.170, 0.797, 0.131, 0.046]
        case 12: primaries = white + [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
        default: return nil
        }
        let ofSRGB = primaries == sRGBPrimaries ? [] : [RGBProfile(primaries: primaries, gamma: nil)]
        let profiles: [RGBProfile?]
        switch points.transfer {
        case _ where points.hasCurveOfSRGB: profiles = ofSRGB
        case 4: profiles = [RGBProfile(primaries: primaries, gamma: 2.2)]
        case 5: profiles = [RGBProfile(primaries: primaries, gamma: 2.8)]
        default:
            guard let range = HighDynamicRange(transfer: points.transfer) else { return nil }
            profiles = range.curves.map { RGBProfile(primaries: primaries, table: $0) } + ofSRGB
        }
        let made = profiles.compactMap(\.self)
        return made.count == profiles.count ? made : nil
    }

    /// - Parameters:
    ///   - primaries: x and y of white, red, green and blue.
    ///   - table: the lights of evenly distributed levels.
    private init?(primaries: [Double], table: [UInt16]) {
        guard let curve = ToneCurve(table: table), let profile = BuiltProfile(primaries: primaries, curve: curve),
            let bytes = profile.bytes
        else { return nil }
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - primaries: x and y of white, red, green and blue.
    ///   - gamma: the exponent from level to light; nil for the curve of sRGB.
    /// - Returns: nil if the numbers are not colours, or the exponent is outside 1/16 to 255.9.
    init?(primaries: [Double], gamma: Double?) {
        guard primaries.count == 8, gamma.map((1.0 / 16..<255.9).contains) ?? true,
            let curve = ToneCurve(gamma: gamma), let profile = BuiltProfile(primaries: primaries, curve: curve),
            // LittleCMS does not check that the numbers are finite and fit into a profile.
            profile.columns.allSatisfy({ $0.isFinite && abs($0) < 16 }), let bytes = profile.bytes
        else { return nil }
        self.bytes = bytes
    }
}

/// The curve from level to light, as LittleCMS has it in memory.
@safe private struct ToneCurve: ~Copyable {
    let handle: OpaquePointer

    /// - Parameter gamma: the exponent; nil for the curve of sRGB.
    /// - Returns: nil if there is no memory.
    init?(gamma: Double?) {
        // Kind 4 of LittleCMS is kind 3 of ICC.1:2022, section 10.18.
        let numbersOfSRGB = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        let curve =
            if let gamma {
                // The units are those of a curve of one number, which most profiles have (ICC.1:2022, section 10.6).
                unsafe cmsBuildGamma(nil, (gamma * 256).rounded() / 256)
            } else { unsafe cmsBuildParametricToneCurve(nil, 4, numbersOfSRGB) }
        guard let curve = unsafe curve else { return nil }
        unsafe handle = curve
    }

    /// - Parameter table: the lights of evenly distributed levels.
    /// - Returns: nil if there is no memory.
    init?(table: [UInt16]) {
        guard let curve = unsafe cmsBuildTabulatedToneCurve16(nil, cmsUInt32Number(table.count), table) else {
            return nil
        }
        unsafe handle = curve
    }

    deinit { unsafe cmsFreeToneCurve(handle) }
}

/// A profile that LittleCMS has in memory.
@safe private struct BuiltProfile: ~Copyable {
    private let handle: cmsHPROFILE

    /// - Returns: nil if red, green and blue are nearly on one line, or if there is no memory.
    init?(primaries: [Double], curve: borrowing ToneCurve) {
        func color(_ index: Int) -> cmsCIExyY { cmsCIExyY(x: primaries[index], y: primaries[index + 1], Y: 1) }
        var white = color(0)
        var colors = cmsCIExyYTRIPLE(Red: color(2), Green: color(4), Blue: color(6))
        let curves = unsafe [OpaquePointer?](repeating: curve.handle, count: 3)
        guard let profile = unsafe cmsCreateRGBProfile(&white, &colors, curves) else { return nil }
        unsafe handle = profile
        // Primaries of damaged files do not fit into this tag, which no program needs beside the colours.
        _ = unsafe cmsWriteTag(profile, cmsSigChromaticityTag, nil)
    }

    deinit { unsafe cmsCloseProfile(handle) }

    /// Red, green and blue in XYZ, adapted to the white of profiles, nine numbers.
    var columns: [Double] {
        [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag].flatMap { tag in
            guard let color = unsafe cmsReadTag(handle, tag)?.load(as: cmsCIEXYZ.self) else { return [Double.nan] }
            return [color.X, color.Y, color.Z]
        }
    }

    /// The profile as files have it; nil if there is no memory.
    var bytes: [UInt8]? {
        var size: cmsUInt32Number = 0
        guard unsafe cmsSaveProfileToMem(handle, nil, &size) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        guard unsafe cmsSaveProfileToMem(handle, &bytes, &size) != 0 else { return nil }
        return bytes
    }
}
