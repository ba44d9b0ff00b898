// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation

extension ModelManifest {
    /// Sentences about numbers that are possible, and are hardly what the model expects.
    package var doubts: [String] { [doubtAboutMean, doubtAboutAnswers].compactMap { $0 } }

    /// The commonest mistake: torchvision's and timm's numbers are for levels from 0 to 1, and ours for levels from 0 to 255.
    private var doubtAboutMean: String? {
        let (mean, scale) = (input.mean, input.scale)
        let isMeanOfUnit = mean.contains { $0 > 0 } && mean.allSatisfy { (0...1).contains($0) }
        // A deviation, by which these libraries divide, and not a factor.
        let isDeviation = mean.contains { $0 > 0 } && scale.allSatisfy { $0 >= 0.1 && $0 < 1 }
        guard isMeanOfUnit || isDeviation else { return nil }
        let rightMean = isMeanOfUnit ? mean.map { $0 * 255 } : mean
        // A factor that was converted already stays.
        let rightScale = isDeviation ? scale.map { 1 / (255 * $0) } : scale.map { $0 >= 1 ? $0 / 255 : $0 }
        return "input.mean or input.scale is that of levels from 0 to 1, and levels are from 0 to 255 here."
            + " Right may be a mean of \(Self.text(rightMean)) and a scale of \(Self.text(rightScale))."
    }

    /// A network that gets numbers of another range gives the same scores for every picture.
    private var doubtAboutAnswers: String? {
        guard let scores = knownAnswers?.scores, let first = scores.first, scores.count > 1,
            scores.allSatisfy({ $0 == first })
        else { return nil }
        let text = first.map { String(describing: $0) }.joined(separator: ", ")
        return "Two very different drawings have the same score \(text)."
            + " The model may expect other numbers for black and white; see input.mean and input.scale in docs/models.md."
    }

    private static func text(_ numbers: [Float]) -> String {
        numbers.map { String(format: "%.5g", Double($0)) }.joined(separator: ", ")
    }
}
