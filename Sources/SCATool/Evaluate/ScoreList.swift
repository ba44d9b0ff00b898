// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The scores of a set's files as comma-separated values, which `sca evaluate` and other programs read.
enum ScoreList {
    static let heading = "path,label,slice,source,score\n"

    static func line(_ file: EvaluatedFile, _ score: Double?) -> String {
        let values = [
            ValueText.harmless(file.path.text), file.isPositive ? "sensitive" : "harmless",
            file.slices.joined(separator: ";"), file.source ?? "",
            score.map { "\($0)" } ?? "",
        ]
        return values.map(ValueText.quoted).joined(separator: ",") + "\n"
    }
}
