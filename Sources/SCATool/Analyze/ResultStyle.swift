// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import JSONLines

/// The form in which results are printed.
enum ResultStyle: Sendable {
    case table
    case jsonLines
    /// Comma-separated values; source: RFC 4180.
    case values
    /// The paths only, each with a byte behind it.
    case names(separator: UInt8)

    /// The first line; nil for a style without one.
    func heading(showsStyles: Bool) -> String? {
        switch self {
        case .table: TerminalText.styled("VERDICT        SCORE   FILE", .bold, if: showsStyles)
        case .values: ResultValues.names.joined(separator: ",")
        case .jsonLines, .names: nil
        }
    }

    /// Returns the bytes of a result with its line end.
    ///
    /// - Parameter isTerminal: whether the bytes go to a terminal, which would obey control characters in a name.
    func bytes(_ outcome: AnalysisOutcome, _ placement: Placement?, showsStyles: Bool, isTerminal: Bool) -> [UInt8] {
        let text: String
        switch self {
        case .names(let separator):
            let path = outcome.input.path
            return (isTerminal ? Array(TerminalText.printable(path.text).utf8) : path.bytes) + [separator]
        case .table:
            let row = ResultRow(outcome, placement, showsStyles: showsStyles)
            // A terminal would break lines inside of words.
            text = row.text(columns: isTerminal ? TerminalText.columns(of: STDOUT_FILENO) : nil)
        case .values:
            let values = ResultValues.text(outcome, placement)
            text = isTerminal ? TerminalText.printable(values) : values
        case .jsonLines: text = Self.line(outcome, placement)
        }
        return Array("\(text)\n".utf8)
    }

    private static func line(_ outcome: AnalysisOutcome, _ placement: Placement?) -> String {
        let path = ResultLine.Path(bytes: outcome.input.path.bytes)
        let target = placement.map(Self.target)
        return switch outcome.finding {
        case .skipped(let reason): ResultLine.text(path, skipped: reason.rawValue)
        case .analysis(let analysis):
            ResultLine.text(path, .success(analysis), target, isForReview: outcome.isForReview)
        case .failure(let failure): ResultLine.text(path, .failure(failure), target)
        }
    }

    private static func target(_ placement: Placement) -> ResultLine.Placement {
        let action: ResultLine.Placement.Action =
            switch placement.action {
            case .move: .move
            case .copy: .copy
            }
        let outcome: ResultLine.Placement.Outcome =
            switch placement.outcome {
            case .done(let place): .done(ResultLine.Path(bytes: place.bytes))
            case .planned(let place): .planned(ResultLine.Path(bytes: place.bytes))
            case .failed(let reason): .failed(reason)
            }
        return ResultLine.Placement(action, outcome, isDamaged: placement.isDamaged)
    }
}
