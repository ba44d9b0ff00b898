// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite struct PictureRegionTests {
    private static func region(
        _ left: Float, _ right: Float, _ score: Float, _ type: ContentType = .sexuallyExplicit
    ) -> PictureRegion {
        PictureRegion(
            rectangle: UnitRectangle(left: left, top: 0, right: right, bottom: 1), contentType: type, score: score)
    }

    @Test func `of regions that mostly show the same, the one with the highest score stays`() {
        let (picture, other) = (Self.region(0, 0.4, 0.9), Self.region(0.5, 1, 0.95))
        let gore = Self.region(0, 0.4, 0.8, .goreOrViolence)
        let regions = PictureRegion.distinct([Self.region(0, 0.45, 0.5), picture, picture, other, gore])
        #expect(regions == [other, picture, gore])
        #expect(PictureRegion.distinct([Self.region(0, 1, 0.6), Self.region(0.25, 1, 0.95)]).count == 1)
    }

    @Test func `a picture stays beside a rectangle with its surroundings that has a higher score`() {
        let regions = [Self.region(0, 1, 0.95), Self.region(0.4, 1, 0.6)]
        #expect(PictureRegion.distinct(regions) == regions)
    }
}
