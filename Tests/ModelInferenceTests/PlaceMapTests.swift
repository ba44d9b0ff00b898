// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import TestSupport
import Testing

@testable import ModelInference

@Suite("The map of places", .enabled(if: Requirements.hasModel, Comment(rawValue: Requirements.modelRemedy)))
struct PlaceMapTests {
    @Test(arguments: SmallNetwork.End.allCases)
    func `the mean of the map has the score for each usual end of a network, and no other network has a map`(
        end: SmallNetwork.End
    ) throws {
        let lane = try SmallNetwork(end).lane()
        for seed in 1...5 {
            let scores = try lane.scores(of: Self.picture(seed: seed))
            let maps = try lane.maps(agreeingWith: scores)
            for (column, score) in scores.enumerated() {
                guard ![.highestThenGemm, .meanOfFourPlacesThenGemm].contains(end) else {
                    #expect(maps[column] == nil)
                    continue
                }
                let map = try #require(maps[column])
                #expect(map.rows == 4 && map.columns == 4 && map.scoreCount == 3)
                #expect(abs(map.score(column, in: map.all) - score) < 0.0001)
                let quarter = map.score(column, in: .init(left: 0, top: 0, width: 2, height: 2))
                #expect(quarter.isFinite && quarter != score)
            }
        }
    }

    @Test func `the mean of the default model's map has the score of each picture`() throws {
        let loaded = try LoadedModel()
        for seed in 1...8 {
            let scores = try loaded.lane.scores(of: Self.picture(seed: seed))
            let map = try #require(try loaded.lane.maps(agreeingWith: scores)[0])
            #expect(map.rows == 7 && map.columns == 7)
            #expect(abs(map.score(1, in: map.all) - scores[0]) < 0.0001)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a network whose operations form a circle has no map`() throws {
        let file = SmallNetwork.ofCircle.file
        let bytes = try unsafe file.withUnsafeBytes { file in
            try unsafe MapOutput.bytes(for: ["output"], addedTo: file)
        }
        #expect(bytes.isEmpty)
    }

    static func picture(seed: Int) throws -> PictureView {
        var generator = SplitMix64(state: UInt64(seed))
        let colors = (0..<16).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        return PictureView(
            try PreprocessorTests.image(width: 64, height: 64) { x, y in colors[y / 16 * 4 + x / 16] })
    }
}
