// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// A line on standard error that shows how far a long run is; nothing where standard error is no terminal.
struct ProgressBar {
    private let isShown = isatty(STDERR_FILENO) == 1
    private var isDrawn = false
    private var lastDrawing: ContinuousClock.Instant?

    /// Draws the bar, at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: the number of inputs that have an outcome.
    ///   - found: the number of inputs that are known so far.
    ///   - isComplete: whether more may be found.
    mutating func update(done: Int, found: Int, isComplete: Bool) {
        let now = ContinuousClock.now
        if let lastDrawing, now - lastDrawing < .milliseconds(100) { return }
        guard isShown else { return }
        lastDrawing = now
        isDrawn = true
        let length = 30
        let filled = found == 0 ? 0 : min(length, done * length / found)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: length - filled)
        write("\r\u{1B}[K[\(bar)] \(done) of \(found)\(isComplete ? "" : "+")")
    }

    /// Removes the bar, so that a line of output can stand in its place.
    mutating func clear() {
        guard isDrawn else { return }
        isDrawn = false
        lastDrawing = nil
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        StandardError.write(text)
    }
}
