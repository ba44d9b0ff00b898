// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// A row of the table of watched streams.
struct WatchRow: Sendable {
    let path: String
    var state = WatchState(name: .waiting)
    var time = Duration.zero
    var frameCount = 0
    var judgedCount = 0
    var hasEnded = false
    /// The time and the words of the first sensitive state, and of the last unknown state.
    var sensitive: (time: Duration, details: String)?
    var unknown: (time: Duration, details: String)?

    /// The counts have no room beside the name in a narrow table.
    private static func showsCounts(_ columns: Int) -> Bool { columns >= 60 }

    static func heading(columns: Int) -> String {
        showsCounts(columns) ? "STATE          TIME     FRAMES  JUDGED  STREAM" : "STATE          TIME     STREAM"
    }

    /// Returns the line for rows that have no room: how many streams there are in each state.
    static func summary(of rows: some Collection<WatchRow>) -> String {
        let counts = [WatchState.Name.sensitive, .unknown, .notSensitive, .waiting].compactMap { name in
            let count = rows.count { $0.state.name == name }
            return count == 0 ? nil : "\(count) \(WatchState(name: name).words)"
        }
        return "and \(rows.count) more: \(counts.joined(separator: ", "))"
    }

    /// Changes the state, and keeps what a person must not miss when the stream goes on.
    mutating func enter(_ next: WatchState) {
        state = next
        if next.name == .sensitive, sensitive == nil { sensitive = (time, details) }
        if next.name == .unknown { unknown = (time, details) }
    }

    /// The line that stays when the streams have ended; nil for a stream that was judged throughout and is harmless.
    var result: String? {
        if let sensitive { return "\(name): sensitive at \(TimeCode.text(sensitive.time)) (\(sensitive.details))" }
        if let unknown { return "\(name): unknown at \(TimeCode.text(unknown.time)): \(unknown.details)" }
        return judgedCount == 0 ? "\(name): no frame was judged" : nil
    }

    private var name: String { TerminalText.printable(path == "-" ? "(standard input)" : path) }

    private var details: String { state.types.map(\.rawValue).joined(separator: ", ") + (state.reason ?? "") }

    /// Returns the row in at most `columns` columns.
    func text(columns: Int, showsStyles: Bool) -> String {
        func left(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let counts = Self.showsCounts(columns) ? right("\(frameCount)", 8) + right("\(judgedCount)", 8) : ""
        let numbers = left(TimeCode.text(time), 7) + counts + "  "
        let rest = numbers + name + (details.isEmpty ? "" : "  (\(details))")
        let words = left(state.name == .sensitive ? "SENSITIVE" : state.words, 15)
        let shown = ColumnText.beginning(of: rest, columns: max(0, columns - words.count))
        switch state.name {
        case .sensitive: return TerminalText.styled(words, .bold, .red, if: showsStyles) + shown
        case .unknown: return TerminalText.styled(words, .yellow, if: showsStyles) + shown
        default: return words + shown
        }
    }
}
