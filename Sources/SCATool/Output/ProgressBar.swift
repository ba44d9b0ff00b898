// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisEngine
internal import Foundation
internal import Glibc
internal import Synchronization

/// A line on standard error that shows how far a long run is; nothing where standard error is no terminal.
final class ProgressBar: Sendable {
    private let isShown = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    private struct State {
        var line = ProgressLine()
        var isDrawn = false
        var hasEnded = false
        var lastDrawing: ContinuousClock.Instant?
    }

    /// Notes how many inputs there are.
    ///
    /// - Parameters:
    ///   - found: the number of inputs that are known so far.
    ///   - isComplete: whether no more will be found.
    func update(found: Int, isComplete: Bool) {
        change { line, _ in (line.found, line.isComplete) = (found, isComplete) }
    }

    /// Notes that an input is being analysed.
    func began(_ input: Int, name: String?) {
        change { $0.began(input, name: name, at: $1) }
    }

    /// Notes how far an input is.
    func note(_ progress: MediaProgress, of input: Int) {
        change { line, _ in line.note(progress, of: input) }
    }

    /// Notes that an input has an outcome.
    func ended(_ input: Int) {
        change { $0.ended(input, at: $1) }
    }

    /// Draws the line again and again, until the task is cancelled: inputs that hang say nothing.
    func keepDrawing() async {
        guard isShown else { return }
        while (try? await Task.sleep(for: .milliseconds(250))) != nil { change { _, _ in } }
    }

    /// Removes the line, so that a line of output can stand in its place.
    func clear() {
        state.withLock { state in
            // Another thread must not draw it before the line of output is there.
            state.lastDrawing = .now
            guard state.isDrawn else { return }
            state.isDrawn = false
            StandardError.write("\r\u{1B}[K")
        }
    }

    /// Removes the line for good.
    func end() {
        state.withLock { $0.hasEnded = true }
        clear()
    }

    /// Changes what is known, and draws it, at most ten times a second.
    private func change(_ body: (inout ProgressLine, ContinuousClock.Instant) -> Void) {
        state.withLock { state in
            let now = ContinuousClock.now
            body(&state.line, now)
            guard isShown, !state.hasEnded else { return }
            if let lastDrawing = state.lastDrawing, now - lastDrawing < .milliseconds(100) { return }
            // Not in the last column, where some terminals begin a new line.
            guard let text = state.line.text(at: now, columns: Self.terminalColumns - 1) else { return }
            state.lastDrawing = now
            state.isDrawn = true
            StandardError.write("\r\u{1B}[K\(text)")
        }
    }

    private static var terminalColumns: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
