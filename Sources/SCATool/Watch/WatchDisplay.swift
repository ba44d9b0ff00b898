// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Dispatch
internal import Foundation
internal import Glibc
internal import JSONLines
internal import LiveStreams
internal import Synchronization

/// The states of watched streams, as a table that updates in place, as lines, or as JSON lines.
final class WatchDisplay: Sendable {
    enum Format: Sendable {
        case table
        case jsonl
        /// Standard output carries frames, so the table goes to standard error.
        case tableOnStandardError
    }

    private let format: Format
    private let policy: AnalysisPolicy
    private let hook: WatchHook?
    private let state: Mutex<State>
    private let isInPlace: Bool
    /// Writes in order, so that a reader who does not read holds up neither the streams nor the gate.
    private let output = DispatchQueue(label: "sca.watch.display")

    private struct State {
        var rows: [WatchRow]
        var drawnCount = 0
        var hadFailure = false
        var notes: Set<String> = []
    }

    init(_ paths: [String], _ format: Format, policy: AnalysisPolicy, hook: WatchHook?) {
        self.format = format
        self.policy = policy
        self.hook = hook
        state = Mutex(State(rows: paths.map { WatchRow(path: $0) }))
        let descriptor = format == .table ? STDOUT_FILENO : STDERR_FILENO
        isInPlace = format != .jsonl && isatty(descriptor) == 1
    }

    /// The exit code: 1 after a sensitive stream, 2 after an unknown one or if nothing was judged, and otherwise 0.
    var exitCode: Int32 {
        state.withLock { state in
            if state.rows.contains(where: { $0.sensitive != nil }) { return 1 }
            let isUnknown = state.rows.contains { $0.unknown != nil || $0.state.name == .waiting }
            return state.hadFailure || isUnknown || state.rows.allSatisfy { $0.judgedCount == 0 } ? 2 : 0
        }
    }

    func countFrame(_ row: Int, at time: Duration) {
        state.withLock { state in
            state.rows[row].frameCount += 1
            state.rows[row].time = time
        }
    }

    func countJudgement(_ row: Int) {
        state.withLock { state in
            state.rows[row].judgedCount += 1
        }
    }

    /// Shows the state that follows from a status of the stream.
    func change(_ row: Int, _ status: StreamStatus) {
        let before = state.withLock { $0.rows[row].frameCount == 0 ? nil : $0.rows[row].state }
        if let next = WatchState(status, after: before) { change(row, next) }
    }

    /// Shows a new state, unless it says the same as the state before.
    func change(_ row: Int, _ next: WatchState) {
        state.withLock { state in
            // A message about the stream may be on its way when the stream ends.
            guard !state.rows[row].hasEnded, !state.rows[row].state.isSame(as: next) else { return }
            state.rows[row].enter(next)
            let changed = state.rows[row]
            output.async { self.report(changed) }
            hook?.call(next.words, stream: changed.path)
        }
    }

    /// Shows that a stream has ended; its last state decides about the exit code.
    func end(_ row: Int) {
        state.withLock { state in
            state.rows[row].hasEnded = true
            guard format == .jsonl else { return }
            var ended = state.rows[row]
            ended.state = WatchState(name: .ended)
            output.async { [ended] in self.report(ended) }
        }
    }

    /// Waits until all lines are written.
    func finish() { output.sync {} }

    /// Shows the message of a failed analysis, once; each failure counts for the exit code, also if the next frame succeeds.
    func fail(_ message: String?) {
        let isNew = state.withLock { state in
            state.hadFailure = true
            return message.map { state.notes.insert($0).inserted } ?? false
        }
        guard isNew, let message else { return }
        output.async { [self] in
            StandardError.write("\(TerminalText.printable(message))\n")
            state.withLock { $0.drawnCount = 0 }
        }
    }

    /// Draws the table repeatedly until the task is cancelled.
    func keepDrawing() async {
        guard isInPlace else { return }
        while (try? await Task.sleep(for: .milliseconds(200))) != nil { output.sync { draw() } }
        output.sync {
            draw()
            // The rows show the last state only, and cut names and reasons.
            let results = state.withLock { $0.rows.compactMap(\.result) }
            if !results.isEmpty { write(results.map { "\($0)\n" }.joined()) }
        }
    }

    private func report(_ row: WatchRow) {
        switch format {
        case .jsonl:
            var line = WatchLine(path: row.path, time: row.time, state: row.state.name.rawValue, policy: policy)
            line.types = row.state.types
            line.score = row.state.score
            line.model = row.state.model
            line.reason = row.state.reason
            StandardOutput.write(line: line.text)
        case .table, .tableOnStandardError:
            if !isInPlace { write(row.text(columns: 4096, showsStyles: false) + "\n") }
        }
    }

    private func draw() {
        var size = winsize()
        let descriptor = format == .table ? STDOUT_FILENO : STDERR_FILENO
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let (columns, height) = isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
        let text = state.withLock { state -> String in
            let shown = state.rows.prefix(max(1, height - 3))
            var lines = [ColumnText.beginning(of: WatchRow.heading(columns: columns - 1), columns: columns - 1)]
            lines += shown.map { $0.text(columns: columns - 1, showsStyles: true) }
            if shown.count < state.rows.count {
                let summary = WatchRow.summary(of: state.rows.dropFirst(shown.count))
                lines.append(ColumnText.beginning(of: summary, columns: columns - 1))
            }
            // The cursor goes back to the first line of the last drawing, and each line is replaced.
            let up = state.drawnCount > 0 ? "\u{1B}[\(state.drawnCount)A" : ""
            state.drawnCount = lines.count
            return up + lines.map { "\r\u{1B}[K\($0)\n" }.joined()
        }
        write(text)
    }

    private func write(_ text: String) {
        if format == .table { StandardOutput.write(Array(text.utf8)) } else { StandardError.write(text) }
    }
}
