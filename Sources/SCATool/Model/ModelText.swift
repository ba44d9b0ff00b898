// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import ModelStore

/// A model as lines for a person.
enum ModelText {
    /// - Parameter isVerbose: whether operating points and known failures are told.
    static func lines(_ model: InstalledModel, isVerbose: Bool) -> [String] {
        let manifest = model.manifest
        let version = manifest.version == ImportPlan.unknownText ? "" : " \(manifest.version)"
        let words = manifest.name == InstalledModels.defaultModelName ? " (default)" : ""
        var lines = ["\(manifest.name)\(TerminalText.printable(version))\(words)"]
        var details = [manifest.description]
        for output in manifest.outputs {
            let thresholds = output.thresholds
            let label = manifest.label(of: output).map { "\($0): " } ?? ""
            details.append(
                "\(label)\(output.contentType.rawValue), sensitive from \(thresholds.simple) (simple),"
                    + " \(thresholds.descriptive) (descriptive)")
        }
        details.append("licence \(manifest.licence); \(model.folder)")
        if isVerbose {
            details += OperatingPointText.lines(manifest)
            details += manifest.knownFailures.map { "known failure: \($0)" }
        }
        lines += details.map { "    \(TerminalText.printable($0))" }
        return lines
    }
}
