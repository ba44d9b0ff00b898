// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import ModelEvaluation
import Testing

@Suite struct ReferenceSetTests {
    @Test func `there are twenty reference sets`() {
        #expect(ReferenceSet.all.count == 20)
    }

    @Test(arguments: ReferenceSet.all.filter { $0.recipe != nil })
    func `a recipe gives the scores and labels that the script made`(set: ReferenceSet) throws {
        let recipe = try #require(set.recipe)
        let first = set.files.prefix(recipe.firstScores.count)
        #expect(first.map(\.score) == recipe.firstScores)
        #expect(first.map { $0.isPositive ? 1 : 0 } == recipe.firstLabels)
    }

    @Test(arguments: ReferenceSet.all)
    func `counts and ranking figures agree with scikit-learn`(set: ReferenceSet) {
        let (evaluation, expected) = (evaluation(of: set), set.expected)
        #expect(evaluation.positives.judged == expected.counts.positives)
        #expect(evaluation.positives.unknown == expected.counts.unknownPositives)
        #expect(evaluation.negatives.judged == expected.counts.negatives)
        #expect(evaluation.negatives.unknown == expected.counts.unknownNegatives)
        expectEqual(evaluation.estimates[.area]?.value, expected.auc)
        expectEqual(evaluation.estimates[.averagePrecision]?.value, expected.averagePrecision)
    }

    @Test(arguments: ReferenceSet.all)
    func `false alarms at a sensitivity agree with scikit-learn`(set: ReferenceSet) {
        let evaluation = evaluation(of: set)
        for row in set.expected.atSensitivity {
            let point = evaluation.pointsAtSensitivity.first { $0.percent == row.targetPercent }?.counts
            #expect(point?.threshold == row.threshold)
            #expect(point?.truePositives == row.truePositives)
            #expect(point?.falsePositives == row.falsePositives)
            expectEqual(point?.falseAlarmRate.value, row.falseAlarmRate)
            if set.expected.auc != nil {
                expectEqual(
                    evaluation.estimates[.falseAlarmRateAtSensitivity(percent: row.targetPercent)]?.value,
                    row.falseAlarmRate)
            }
        }
    }

    @Test(arguments: ReferenceSet.all)
    func `shares at a threshold and their intervals agree with SciPy`(set: ReferenceSet) throws {
        let evaluation = evaluation(of: set)
        for row in set.expected.atThreshold {
            let counts = try #require(evaluation.thresholds.first { $0.threshold == row.threshold })
            #expect(counts.truePositives == row.truePositives)
            #expect(counts.falsePositives == row.falsePositives)
            for (share, expected) in [
                (counts.sensitivity, row.sensitivity), (counts.falseAlarmRate, row.falseAlarmRate),
                (counts.precision, row.precision),
            ] {
                expectEqual(share.value, expected?.value)
                expectEqual(share.wilson?.low, expected?.low)
                expectEqual(share.wilson?.high, expected?.high)
            }
        }
        expectEqual(evaluation.upperBoundOfNoFalseAlarm, set.expected.noneOfNegativesUpperBound)
    }

    @Test(arguments: ReferenceSet.all)
    func `calibration agrees with scikit-learn`(set: ReferenceSet) {
        let (calibration, expected) = (evaluation(of: set).calibration, set.expected)
        expectEqual(calibration?.brierScore, expected.brierScore)
        expectEqual(calibration?.expectedError, expected.expectedCalibrationError)
        #expect((calibration?.bins ?? []).map(\.count) == expected.reliabilityCurve.map(\.count))
        for (bin, row) in zip(calibration?.bins ?? [], expected.reliabilityCurve) {
            expectEqual(bin.meanScore, row.meanScore)
            expectEqual(bin.share.value, row.positiveShare)
        }
    }

    private func evaluation(of set: ReferenceSet) -> Evaluation {
        Evaluation(of: set.files, thresholds: [0.4, 0.7, 0.9], bootstrap: nil)
    }

    private func expectEqual(
        _ value: Double?, _ expected: Double?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let value, let expected else {
            #expect(value == expected, sourceLocation: sourceLocation)
            return
        }
        #expect(abs(value - expected) <= 1e-9, "\(value) and \(expected)", sourceLocation: sourceLocation)
    }
}
