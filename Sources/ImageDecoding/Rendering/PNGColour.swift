// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// The colours that the chunks of a PNG file name without a profile: a browser obeys them, and libvips does not.
///
/// Source: PNG specification, third edition, sections 11.3.2.1, 11.3.2.2 and 11.3.2.6.
struct PNGColour {
    /// Profiles that mean the same, since viewers differ in what they obey; none where all chunks name sRGB.
    let impliedProfiles: [[UInt8]]
    /// Whether the file has a profile.
    let hasProfile: Bool

    /// - Throws: `ambiguousRendering` for colours that cannot be converted here.
    init(_ chunks: PNGChunks) throws(DecodingFailure) {
        var profiles: [[UInt8]] = []
        if let points = chunks.colours["cICP"], let profile = try Self.profile(codePoints: points) {
            profiles.append(profile)
        }
        // Browsers apply primaries with a gamma only, and no viewer a gamma of 0.
        if let gamma: UInt32 = chunks.colours["gAMA"]?.bigEndian(at: 0), gamma > 0,
            let profile = try Self.profile(gamma: gamma, primaries: chunks.colours["cHRM"])
        {
            profiles.append(profile)
        }
        impliedProfiles = profiles
        hasProfile = chunks.colours["iCCP"] != nil
    }

    private static func profile(gamma: UInt32, primaries chunk: [UInt8]?) throws(DecodingFailure) -> [UInt8]? {
        let numbers = chunk.flatMap(Self.primaries(of:)) ?? RGBProfile.sRGBPrimaries
        // Many programs write the gamma and the primaries of sRGB, rounded.
        let isSRGB =
            (45_000...46_000).contains(gamma)
            && zip(numbers, RGBProfile.sRGBPrimaries).allSatisfy { abs($0 - $1) <= 0.002 }
        guard !isSRGB else { return nil }
        guard let profile = RGBProfile(primaries: numbers, gamma: 100_000 / Double(gamma)) else {
            throw DecodingFailure(.ambiguousRendering, format: .png, detail: "a gamma of \(gamma) / 100000")
        }
        return profile.bytes
    }

    /// The eight numbers of white, red, green and blue.
    private static func primaries(of chunk: [UInt8]) -> [Double]? {
        guard chunk.count >= 32 else { return nil }
        return (0..<8).map { Double(chunk.bigEndian(at: $0 * 4, as: UInt32.self) ?? 0) / 100_000 }
    }

    /// The profile for the numbers of primaries, transfer function and matrix, and the flag of the full range.
    private static func profile(codePoints: [UInt8]) throws(DecodingFailure) -> [UInt8]? {
        guard codePoints.count == 4, codePoints[2] == 0, codePoints[3] == 1,
            let conversion = RGBProfile.conversion(
                from: CodePoints(primaries: Int(codePoints[0]), transfer: Int(codePoints[1]), matrix: 0))
        else {
            throw DecodingFailure(
                .ambiguousRendering, format: .png,
                detail: "code points " + codePoints.map { String($0) }.joined(separator: ", "))
        }
        return conversion.profile?.bytes
    }
}
