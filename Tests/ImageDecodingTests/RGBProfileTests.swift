// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing
import ViewerAgreement

@testable import ImageDecoding

@Suite("Profiles of colours that a file names by numbers")
struct RGBProfileTests {
    @Test("Primaries of a damaged file make a profile if their colours fit into one, and none if they do not")
    func unusualPrimaries() {
        func profile(red: (Double, Double), white: (Double, Double) = (0.3127, 0.329)) -> RGBProfile? {
            RGBProfile(primaries: [white.0, white.1, red.0, red.1, 0.3, 0.6, 0.15, 0.06], gamma: 2.2)
        }
        #expect(profile(red: (0.64, 0.33)) != nil)
        #expect(profile(red: (168.41216, 0.33)) != nil)
        #expect(profile(red: (168.41216, 42_782.2308)) != nil)
        #expect(profile(red: (0.225, 0.33)) == nil, "The three colours lie on one line.")
        #expect(profile(red: (.nan, 0.33)) == nil)
        #expect(profile(red: (0.64, 0.33), white: (0.3127, 0)) == nil)
    }

    @Test("A gamma outside of 1/16 to 255.9 makes no profile", arguments: [0, 0.06, 255.9, .infinity, -2.2])
    func unusualGamma(gamma: Double) {
        #expect(RGBProfile(primaries: RGBProfile.sRGBPrimaries, gamma: gamma) == nil)
    }

    @Test("Code points of sRGB need no profile, and unknown code points have no conversion")
    func codePoints() {
        func count(_ primaries: Int, _ transfer: Int) -> Int? {
            RGBProfile.profiles(for: CodePoints(primaries: primaries, transfer: transfer, matrix: 0))?.count
        }
        #expect(count(1, 13) == 0)
        #expect(count(12, 13) == 1)
        #expect(count(9, 4) == 1)
        #expect(count(1, 8) == nil)
        #expect(count(8, 13) == nil)
        // Viewers show a high dynamic range in two ways, or take its curve for that of sRGB.
        for transfer in [16, 18] {
            #expect(count(9, transfer) == 3)
            #expect(count(1, transfer) == 2)
        }
    }
}
