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
        func conversion(_ primaries: Int, _ transfer: Int) -> RGBProfile.Conversion? {
            RGBProfile.conversion(from: CodePoints(primaries: primaries, transfer: transfer, matrix: 0))
        }
        #expect(conversion(1, 13).map { $0.profile == nil } == true)
        #expect(conversion(12, 13)?.profile != nil)
        #expect(conversion(9, 16) == nil)
    }
}
