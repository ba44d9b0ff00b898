// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ViewerAgreement

/// The colours that the chunks of a PNG file name; browsers obey them, but libvips does not.
///
/// Source: PNG specification, third edition, sections 11.3.2.1, 11.3.2.2, 11.3.2.3 and 11.3.2.6.
struct PNGColour {
    /// Profiles equivalent to the chunks, one for each because viewers differ; empty if all chunks name sRGB.
    let impliedProfiles: [[UInt8]]
    /// Whether the file has a profile.
    let hasProfile: Bool
    /// The unpacked profile; nil if there is none, or if it is damaged.
    let embeddedProfile: [UInt8]?

    /// - Throws: `ambiguousRendering` for colours that cannot be converted here.
    init(_ chunks: PNGChunks) throws(DecodingFailure) {
        var profiles: [[UInt8]] = []
        if let points = chunks.colours["cICP"] { profiles += try Self.profiles(codePoints: points) }
        // Browsers apply primaries only together with a gamma. No viewer applies a gamma of 0.
        if let gamma: UInt32 = chunks.colours["gAMA"]?.bigEndian(at: 0), gamma > 0,
            let profile = try Self.profile(gamma: gamma, primaries: chunks.colours["cHRM"])
        {
            profiles.append(profile)
        }
        impliedProfiles = profiles
        let embedded = chunks.colours["iCCP"]
        hasProfile = embedded != nil
        embeddedProfile = embedded.flatMap(Self.unpackedProfile)
    }

    /// Returns the profile of a chunk: its name, a zero, the compression number 0, and the compressed bytes.
    ///
    /// - Returns: nil if it is damaged or larger than any profile.
    private static func unpackedProfile(_ chunk: [UInt8]) -> [UInt8]? {
        guard let nameEnd = chunk.firstIndex(of: 0), nameEnd + 2 < chunk.count, chunk[nameEnd + 1] == 0 else {
            return nil
        }
        return ZlibData.unpacked(chunk[(nameEnd + 2)...], mostBytes: mostProfileBytes)
    }

    /// The largest size of an unpacked profile in bytes; profiles of printers have up to about 3 MB.
    private static let mostProfileBytes = 8 << 20

    private static func profile(gamma: UInt32, primaries chunk: [UInt8]?) throws(DecodingFailure) -> [UInt8]? {
        let numbers = chunk.flatMap(Self.primaries(of:)) ?? RGBProfile.sRGBPrimaries
        // Many programs write rounded values of the gamma and primaries of sRGB.
        let isSRGB =
            (45_000...46_000).contains(gamma)
            && zip(numbers, RGBProfile.sRGBPrimaries).allSatisfy { abs($0 - $1) <= 0.002 }
        guard !isSRGB else { return nil }
        guard let profile = RGBProfile(primaries: numbers, gamma: 100_000 / Double(gamma)) else {
            throw DecodingFailure(.unusualGamma(gamma), .png)
        }
        return profile.bytes
    }

    /// Returns x and y of white, red, green and blue, eight numbers; nil if the chunk is too short.
    private static func primaries(of chunk: [UInt8]) -> [Double]? {
        guard chunk.count >= 32 else { return nil }
        return (0..<8).map { Double(chunk.bigEndian(at: $0 * 4, as: UInt32.self) ?? 0) / 100_000 }
    }

    /// Returns the profiles for code points and the full-range flag; none if they name sRGB.
    private static func profiles(codePoints: [UInt8]) throws(DecodingFailure) -> [[UInt8]] {
        guard codePoints.count == 4, codePoints[2] == 0, codePoints[3] == 1,
            let profiles = RGBProfile.profiles(
                for: CodePoints(primaries: Int(codePoints[0]), transfer: Int(codePoints[1]), matrix: 0))
        else {
            throw DecodingFailure(.unusualCodePoints(codePoints), .png)
        }
        return profiles.map(\.bytes)
    }
}
