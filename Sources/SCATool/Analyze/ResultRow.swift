// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation

/// A row of the table for people.
struct ResultRow {
    /// The verdict and the score, with the styles of a terminal.
    private let head: String
    private let path: String
    /// The words in parentheses behind the path; nil if there are none.
    private let note: String?
    /// The texts below the row.
    private var details: [String] = []

    init(_ outcome: AnalysisOutcome, _ placement: Placement?, showsStyles: Bool) {
        path = TerminalText.printable(outcome.input.name)
        switch outcome.finding {
        case .skipped(let reason):
            head = "skipped            -"
            note = reason.words
        case .failure(let failure):
            head = "\(TerminalText.styled("unknown      ", .yellow, if: showsStyles))      -"
            note = nil
            details = [failure.description]
        case .analysis(let analysis):
            let score = String(format: "%5.3f", analysis.score)
            details = Self.labels(analysis.labels).map { [$0] } ?? []
            if analysis.isSensitive {
                let types = analysis.detectedTypes.sorted().map(\.rawValue).joined(separator: ", ")
                let time = analysis.firstSensitiveTime.map { ", from \(TimeCode.text($0))" } ?? ""
                head = "\(TerminalText.styled("SENSITIVE    ", .bold, .red, if: showsStyles))  \(score)"
                note = "\(types)\(time)\(outcome.isForReview ? ", for review" : "")"
            } else {
                head = "not sensitive  \(score)"
                note = outcome.isForReview ? "for review" : nil
            }
        }
        if let placement { details.append(placement.words) }
        details = details.map(TerminalText.printable)
    }

    /// Returns the row, and the lines below it.
    ///
    /// - Parameter columns: the width in which no word is broken, except a longer word; nil for no limit.
    func text(columns: Int?) -> String {
        let words = note.map { "(\($0))" }
        guard let columns else {
            let row = "\(head)\(Self.gap)\(path)\(words.map { "  \($0)" } ?? "")"
            return ([row] + details.map { Self.indent(Self.fullIndent, $0) }).joined(separator: "\n")
        }
        let indent = columns < Self.leastFullWidth ? Self.narrowIndent : Self.fullIndent
        let pathColumns = ColumnText.columns(of: path)
        var lines: [String]
        var end: Int
        if Self.fullIndent + pathColumns <= columns {
            lines = ["\(head)\(Self.gap)\(path)"]
            end = Self.fullIndent + pathColumns
        } else {
            // A terminal would continue a longer path in the first column, where it could pretend to be a row.
            let pieces = ColumnText.pieces(of: path, columns: columns - Self.narrowIndent)
            lines = [head] + pieces.map { Self.indent(Self.narrowIndent, $0) }
            end = Self.narrowIndent + ColumnText.columns(of: pieces.last ?? "")
        }
        if let words {
            end += 2 + ColumnText.columns(of: words)
            if end <= columns {
                lines[lines.count - 1] += "  \(words)"
            } else {
                lines += TextFrame.wrapped(words, width: columns - indent).map { Self.indent(indent, $0) }
            }
        }
        for detail in details {
            let words = TextFrame.wrapped(detail, width: columns - indent)
            lines += words.flatMap { ColumnText.pieces(of: $0, columns: columns - indent) }
                .map { Self.indent(indent, $0) }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the highest labels in one line; nil if no labels were requested.
    private static func labels(_ labels: [LabelScore]) -> String? {
        guard !labels.isEmpty else { return nil }
        let shown = labels.descending.prefix(mostLabels).map { label in
            "\(label.label): \(String(format: "%.3f", label.value))"
        }
        let rest = labels.count > mostLabels ? ", and \(labels.count - mostLabels) more" : ""
        return "\(shown.joined(separator: ", "))\(rest)"
    }

    private static func indent(_ columns: Int, _ text: String) -> String {
        String(repeating: " ", count: columns) + text
    }

    private static let mostLabels = 5
    private static let gap = "   "
    /// The columns of the verdict, the score and the gap.
    private static let fullIndent = 23
    private static let narrowIndent = 4
    /// The least width in which lines below a row begin below the path.
    private static let leastFullWidth = 60
}
