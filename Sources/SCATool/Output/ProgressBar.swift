// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisEngine
internal import Foundation
internal import Glibc
internal import Synchronization

/// A line on standard error with the progress of a long run, if standard error is a terminal.
///
/// It is not shown if standard output is a pipe, because a pager at the other end draws on the same terminal.
final class ProgressBar: Sendable {
    private let isShown: Bool
    private let state = Mutex(State())

    /// - Parameter isWanted: whether the person wants the line.
    init(isWanted: Bool = true) {
        isShown = isWanted && isatty(STDERR_FILENO) == 1 && !Self.isPipe(STDOUT_FILENO)
    }

    private struct State {
        var line = ProgressLine()
        var isDrawn = false
        var hasEnded = false
        var lastDrawing: ContinuousClock.Instant?
    }

    /// Notes the number of inputs.
    ///
    /// - Parameters:
    ///   - found: the number of inputs that are known so far.
    ///   - isComplete: whether no more inputs will be found.
    func update(found: Int, isComplete: Bool) {
        change { line, _ in (line.found, line.isComplete) = (found, isComplete) }
    }

    /// Notes that an input is being analysed.
    func began(_ input: Int, name: String?) {
        change { $0.began(input, name: name, at: $1) }
    }

    /// Notes the progress of an input.
    func note(_ progress: MediaProgress, of input: Int) {
        change { line, _ in line.note(progress, of: input) }
    }

    /// Notes that an input has an outcome.
    func ended(_ input: Int) {
        change { $0.ended(input, at: $1) }
    }

    /// Draws the line repeatedly until the task is cancelled, because inputs that hang report no progress.
    func keepDrawing() async {
        guard isShown else { return }
        while (try? await Task.sleep(for: .milliseconds(250))) != nil { change { _, _ in } }
    }

    /// Removes the line, to make room for a line of output.
    func clear() {
        state.withLock { state in
            // Another thread must not draw the line before the output is written.
            state.lastDrawing = .now
            guard state.isDrawn else { return }
            state.isDrawn = false
            StandardError.write("\r\u{1B}[K")
        }
    }

    /// Removes the line permanently.
    func end() {
        state.withLock { $0.hasEnded = true }
        clear()
    }

    /// Changes the state of the line, and draws the line at most ten times a second.
    private func change(_ body: (inout ProgressLine, ContinuousClock.Instant) -> Void) {
        state.withLock { state in
            let now = ContinuousClock.now
            body(&state.line, now)
            guard isShown, !state.hasEnded else { return }
            if let lastDrawing = state.lastDrawing, now - lastDrawing < .milliseconds(100) { return }
            // The last column stays empty, because some terminals begin a new line there, as they do behind "^C".
            guard let text = state.line.text(at: now, columns: TerminalText.columns(of: STDERR_FILENO) - 3) else {
                return
            }
            state.lastDrawing = now
            state.isDrawn = true
            StandardError.write("\r\u{1B}[K\(text)")
        }
    }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

}
