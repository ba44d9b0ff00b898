// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelEvaluation
import Testing

/// A labelled set with the figures that scikit-learn and SciPy give for it; `References/make_reference_sets.py` makes it.
struct ReferenceSet: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let recipe: Recipe?
    let scores: [Double?]?
    let labels: [Int]?
    let expected: Expected

    var testDescription: String { name }

    /// The arithmetic that makes the scores and labels of a large set.
    struct Recipe: Decodable, Sendable {
        let seed: UInt64
        let count: Int
        let roundDownTo: Double?
        let float32: Bool
        let intercept: Double
        let slope: Double
        let firstScores: [Double]
        let firstLabels: [Int]
    }

    struct Expected: Decodable, Sendable {
        let counts: Counts
        let auc: Double?
        let averagePrecision: Double?
        let atSensitivity: [SensitivityRow]
        let atThreshold: [ThresholdRow]
        let brierScore: Double?
        let expectedCalibrationError: Double?
        let reliabilityCurve: [Bin]
        let noneOfNegativesUpperBound: Double?
    }

    struct Counts: Decodable, Sendable {
        let positives, negatives, unknownPositives, unknownNegatives: Int
    }

    struct SensitivityRow: Decodable, Sendable {
        let targetPercent: Int
        let threshold: Double?
        let truePositives, falsePositives: Int?
        let falseAlarmRate: Double?
    }

    struct ThresholdRow: Decodable, Sendable {
        let threshold: Double
        let truePositives, falsePositives: Int
        let sensitivity, falseAlarmRate, precision: Share?
    }

    struct Share: Decodable, Sendable {
        let value, low, high: Double
    }

    struct Bin: Decodable, Sendable {
        let count: Int
        let meanScore, positiveShare: Double
    }

    var files: [LabelledScore] {
        if let scores, let labels {
            return zip(scores, labels).map { LabelledScore(isPositive: $1 == 1, score: $0) }
        }
        return recipe?.files ?? []
    }

    static let all: [ReferenceSet] = {
        struct File: Decodable {
            let sets: [ReferenceSet]
        }
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("References/reference-sets.json")
        do {
            return try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).sets
        } catch {
            fatalError("The reference sets cannot be read: \(error)")
        }
    }()
}

extension ReferenceSet.Recipe {
    var files: [LabelledScore] {
        var generator = SplitMix64(seed: seed)
        func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
        return (0..<count).map { _ in
            var score = unit()
            if let parts = roundDownTo { score = (score * parts).rounded(.down) / parts }
            if float32 { score = Double(Float(score)) }
            let product = slope * score
            return LabelledScore(isPositive: unit() < intercept + product, score: score)
        }
    }
}
