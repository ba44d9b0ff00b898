// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess

/// Writes an explanation of each picture's score into a folder; it never replaces a file.
struct ExplanationFolder: Sendable {
    private let folder: String
    private var writtenCount = 0
    private var missingCount = 0
    private var failedCount = 0

    init(_ folder: String) {
        self.folder = folder
    }

    /// Makes the folder, unless it exists.
    ///
    /// - Throws: `CommandFailure` if the folder cannot be made or written to.
    func prepare() throws(CommandFailure) {
        try OutputFolder.make(folder, for: "--explain", isRehearsal: false)
    }

    /// The identity of the folder; nil if it does not exist.
    var identity: FileIdentity? { FileIdentity(path: folder) }

    var hasFailed: Bool { failedCount > 0 }

    /// Writes the explanation of an outcome, under the name of the file with the ending of the explanation.
    mutating func write(_ outcome: AnalysisOutcome) {
        guard case .analysis = outcome.finding else { return }
        guard let explanation = Explanation(outcome) else {
            missingCount += 1
            return
        }
        let names = NumberedNames(outcome.input.nameForFile, ending: "svg")
        do {
            _ = try unsafe Array(explanation.svg.utf8).withUnsafeBytes { bytes in
                try unsafe OutputFolder.write(bytes, in: folder, names)
            }
            writtenCount += 1
        } catch {
            fail(outcome, (error as? AnalysisFailure)?.message ?? "\(error)")
        }
    }

    private mutating func fail(_ outcome: AnalysisOutcome, _ reason: String) {
        failedCount += 1
        // One sentence is enough for a full disk.
        guard failedCount == 1 else { return }
        StandardError.write("The explanation of \(outcome.input.name) was not written: \(reason)\n")
    }

    /// The counts in words; nil if there is nothing to say.
    var summary: String? {
        guard writtenCount + missingCount + failedCount > 0 else { return nil }
        var parts = ["\(writtenCount) explanation\(writtenCount == 1 ? "" : "s") written to \(InputPath(folder).text)"]
        if failedCount > 0 { parts.append("\(failedCount) not written") }
        if missingCount > 0 {
            parts.append(
                "\(missingCount) file\(missingCount == 1 ? " has" : "s have") none, because only single pictures have one, with a model that has a"
                    + " map"
            )
        }
        return parts.joined(separator: "; ") + "."
    }
}
