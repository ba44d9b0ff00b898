// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ModelEvaluation

@Suite struct BootstrapTests {
    /// Sets of scores whose true area under the curve is known.
    struct Simulation: CustomTestStringConvertible, Sendable {
        let count: Int
        let area: Double
        /// The distance of the labels' normal distributions.
        let distance: Double

        var testDescription: String { "\(count) files with an area of \(area)" }

        static let all = [200, 2000].flatMap { count in
            // The area is the normal distribution's value at distance / sqrt(2).
            [
                Simulation(count: count, area: 0.8, distance: 1.190_232_4),
                Simulation(count: count, area: 0.95, distance: 2.326_174_3),
            ]
        }

        func files(using generator: inout ModelEvaluation.SplitMix64) -> [LabelledScore] {
            (0..<count).map { index in
                let isPositive = index < count / 2
                let value = normal(using: &generator) + (isPositive ? distance : 0)
                return LabelledScore(isPositive: isPositive, score: 1 / (1 + exp(-value)))
            }
        }

        // Source: G. E. P. Box and M. E. Muller, 1958.
        private func normal(using generator: inout ModelEvaluation.SplitMix64) -> Double {
            func unit() -> Double { (Double(generator.next() >> 11) + 0.5) * 0x1p-53 }
            return (-2 * log(unit())).squareRoot() * cos(2 * .pi * unit())
        }
    }

    @Test(arguments: Campaign.isRunning ? Simulation.all : [Simulation.all[1]])
    func `a 95 percent interval covers the true area in 93 to 97 percent of simulated sets`(simulation: Simulation) {
        let (setCount, resampleCount) = Campaign.isRunning ? (2000, 1000) : (600, 300)
        var generator = ModelEvaluation.SplitMix64(seed: 20)
        var covered = 0
        for seed in 1...setCount {
            let files = simulation.files(using: &generator)
            let bootstrap = Bootstrap(seed: UInt64(seed), resampleCount: resampleCount)
            if bootstrap.intervals(of: [.area], files)[.area]?.contains(simulation.area) == true { covered += 1 }
        }
        print(
            "\(simulation.count) files, seeds 1 to \(setCount), area \(simulation.area): \(covered) intervals cover it")
        #expect((0.93...0.97).contains(Double(covered) / Double(setCount)))
    }

    @Test func `the same seed gives the same intervals and another seed gives others`() {
        var generator = ModelEvaluation.SplitMix64(seed: 5)
        let files = Simulation.all[0].files(using: &generator)
        func interval(_ seed: UInt64) -> Interval? {
            Evaluation(of: files, thresholds: [], bootstrap: Bootstrap(seed: seed, resampleCount: 200)).estimates[
                .area]?
                .interval
        }
        #expect(interval(1) != nil)
        #expect(interval(1) == interval(1))
        #expect(interval(1) != interval(2))
    }

    @Test func `pictures of few sources have a wider interval than as many sources`() throws {
        var generator = ModelEvaluation.SplitMix64(seed: 6)
        let files = Simulation.all[0].files(using: &generator)
        // Each source has five copies of one picture, which say no more than one of them.
        let copied = files.enumerated().flatMap { index, file in
            (0..<5).map { _ in
                LabelledScore(isPositive: file.isPositive, score: file.score, source: "source \(index)")
            }
        }
        let unnamed = copied.map { LabelledScore(isPositive: $0.isPositive, score: $0.score) }
        func width(_ files: [LabelledScore]) throws -> Double {
            let interval = try #require(
                Evaluation(of: files, thresholds: []).estimates[.area]?.interval)
            return interval.high - interval.low
        }
        let (single, bySource, byPicture) = (try width(files), try width(copied), try width(unnamed))
        #expect(abs(bySource - single) < 0.1 * single)
        #expect(byPicture < 0.6 * bySource)
    }

    @Test func `fewer than thirty files of a label give no interval`() {
        var generator = ModelEvaluation.SplitMix64(seed: 7)
        let files = Simulation(count: 58, area: 0.8, distance: 1.19).files(using: &generator)
        let evaluation = Evaluation(of: files, thresholds: [0.5])
        #expect(evaluation.estimates[.area] != nil)
        #expect(evaluation.estimates[.area]?.interval == nil)
        #expect(evaluation.shortcomings.contains(.fewSources(isPositive: true, count: 29)))
    }

    @Test func `a perfect area has an interval that does not claim certainty`() throws {
        let files = (0..<80).map { LabelledScore(isPositive: $0 < 40, score: $0 < 40 ? 0.9 : 0.1) }
        let interval = try #require(Evaluation(of: files, thresholds: []).estimates[.area]?.interval)
        #expect(interval.high == 1)
        // 0.025 to the power of 1/40.
        #expect(abs(interval.low - 0.911_9) < 0.001)
    }

    @Test func `a model compared with itself differs by nothing`() {
        var generator = ModelEvaluation.SplitMix64(seed: 8)
        let files = Simulation.all[0].files(using: &generator)
        let comparison = EvaluationComparison(of: files, with: files, thresholds: [0.5])
        #expect(comparison.judgedByBoth == 200)
        #expect(comparison.differences[.area]?.value == 0)
        #expect(comparison.differences[.area]?.interval == nil)
    }

    @Test func `a clearly better model differs by an interval above zero`() throws {
        var generator = ModelEvaluation.SplitMix64(seed: 9)
        let worse = Simulation.all[0].files(using: &generator)
        let better = worse.map { file in
            LabelledScore(isPositive: file.isPositive, score: file.score.map { 0.5 * $0 + (file.isPositive ? 0.5 : 0) })
        }
        let difference = try #require(
            EvaluationComparison(of: better, with: worse, thresholds: []).differences[.area]?.interval)
        #expect(difference.low > 0)
    }

    @Test func `a file that one model cannot judge is left out of the comparison alone`() {
        var generator = ModelEvaluation.SplitMix64(seed: 10)
        let first = Simulation.all[0].files(using: &generator)
        var second = first
        second[3].score = nil
        #expect(EvaluationComparison(of: second, with: first, thresholds: []).judgedByBoth == 199)
        #expect(Evaluation(of: second, thresholds: [], bootstrap: nil).positives == LabelCount(judged: 99, unknown: 1))
    }

    @Test(arguments: zip([19, 29, 99], [2.093_024_1, 2.045_229_6, 1.984_217_0]))
    func `Student's quantile agrees with published tables`(degrees: Int, expected: Double) {
        #expect(abs(StudentQuantile.at975(degrees: degrees) - expected) < 1e-6)
    }
}
