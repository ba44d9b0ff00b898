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
        var done = 0
        var found = 0
        var isComplete = false
        /// How far the inputs are that are being analysed, by their numbers.
        var running: [Int: MediaProgress] = [:]
        var isDrawn = false
        var lastDrawing: ContinuousClock.Instant?
    }

    /// Draws the bar, at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: the number of inputs that have an outcome.
    ///   - found: the number of inputs that are known so far.
    ///   - isComplete: whether more may be found.
    func update(done: Int, found: Int, isComplete: Bool) {
        state.withLock { state in
            (state.done, state.found, state.isComplete) = (done, found, isComplete)
            draw(&state)
        }
    }

    /// Notes how far an input is; nil when it has an outcome.
    func note(_ progress: MediaProgress?, of input: Int) {
        state.withLock { state in
            state.running[input] = progress
            if progress != nil { draw(&state) }
        }
    }

    /// Shows how far a single input is.
    func show(_ share: Double) {
        note(MediaProgress(share: share, position: .zero, duration: nil), of: 0)
    }

    /// Removes the bar, so that a line of output can stand in its place.
    func clear() {
        state.withLock { state in
            guard state.isDrawn else { return }
            state.isDrawn = false
            state.lastDrawing = nil
            StandardError.write("\r\u{1B}[K")
        }
    }

    private func draw(_ state: inout State) {
        let now = ContinuousClock.now
        if let lastDrawing = state.lastDrawing, now - lastDrawing < .milliseconds(100) { return }
        guard isShown, state.found > 0 else { return }
        state.lastDrawing = now
        state.isDrawn = true
        let length = 30
        let share = (Double(state.done) + state.running.values.map(\.share).reduce(0, +)) / Double(state.found)
        let filled = min(length, Int(share * Double(length)))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled)
        let video = state.running.min { $0.key < $1.key }?.value.timeCodes ?? ""
        let rest = state.isComplete ? "" : "+"
        StandardError.write("\r\u{1B}[K[\(bar)] \(state.done) of \(state.found)\(rest)\(video)")
    }
}

extension MediaProgress {
    /// Where in a video the analysis is, for example ", at 0:12 of 1:02"; empty for what has no time.
    fileprivate var timeCodes: String {
        guard position > .zero || duration != nil else { return "" }
        let length = duration.map { " of \(TimeCode.text($0))" } ?? ""
        return ", at \(TimeCode.text(position))\(length)"
    }
}
