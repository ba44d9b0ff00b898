// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisEngine

/// The progress of a run of many inputs, and its line of text; times are passed in, so tests need not wait.
struct ProgressLine {
    typealias Instant = ContinuousClock.Instant

    /// The number of inputs that are known so far.
    var found = 0
    /// Whether no more inputs will be found.
    var isComplete = false
    private var done = 0
    private var running: [Int: Input] = [:]
    private var lastEnd: Instant?
    private var start: Instant?

    private struct Input {
        let name: String?
        let start: Instant
        var progress: MediaProgress?
    }

    /// Notes that an input is being analysed.
    ///
    /// - Parameter name: the name in the line if the input takes long; nil if it is the only input.
    mutating func began(_ input: Int, name: String?, at now: Instant) {
        running[input] = Input(name: name, start: now)
        if lastEnd == nil { lastEnd = now }
        if start == nil { start = now }
    }

    /// Notes the progress of an input.
    mutating func note(_ progress: MediaProgress, of input: Int) {
        running[input]?.progress = progress
    }

    /// Notes that an input has an outcome.
    mutating func ended(_ input: Int, at now: Instant) {
        guard running.removeValue(forKey: input) != nil else { return }
        done += 1
        lastEnd = now
    }

    /// Returns the line in at most `columns` columns; nil if no input is known.
    func text(at now: Instant, columns: Int) -> String? {
        guard found > 0 else { return nil }
        let count = "\(done) of \(found)\(isComplete ? "" : "+")"
        let rest: String
        var longestBar = 30
        if let waiting = longestWait(at: now), let name = waiting.name {
            longestBar = 10
            let fixed = ColumnText.columns(of: count) + longestBar + Self.bracketColumns
            let room = columns - fixed >= Self.roomForWait ? columns - fixed : columns - ColumnText.columns(of: count)
            rest = Self.wait(for: name, waiting, at: now, columns: room)
        } else {
            let timeCodes = running.min { $0.key < $1.key }?.value.progress?.timeCodes ?? ""
            let left = timeLeft(at: now)
            rest = timeCodes + (ColumnText.columns(of: count + timeCodes + left) <= columns ? left : "")
        }
        let room = columns - ColumnText.columns(of: count + rest) - Self.bracketColumns
        return ColumnText.beginning(of: bar(columns: min(longestBar, room)) + count + rest, columns: columns)
    }

    /// Returns an estimate of the remaining time, after five seconds and a fiftieth of the work; otherwise no text.
    private func timeLeft(at now: Instant) -> String {
        guard isComplete, let start, now - start >= Self.shortestRun, share >= 0.02, share < 1 else { return "" }
        let minutes = (now - start) / .seconds(60) * (1 - share) / share
        if minutes < 1 { return ", less than a minute left" }
        return minutes < 90
            ? ", about \(Int(minutes.rounded())) min left" : ", about \(Int((minutes / 60).rounded())) h left"
    }

    /// The finished share of all inputs that are known.
    private var share: Double {
        (Double(done) + running.values.compactMap { $0.progress?.share }.reduce(0, +)) / Double(found)
    }

    /// Returns the input that has run longest; nil if an input has ended a short while ago.
    private func longestWait(at now: Instant) -> Input? {
        guard let lastEnd, now - lastEnd >= Self.patience else { return nil }
        return running.min { ($0.value.start, $0.key) < ($1.value.start, $1.key) }?.value
    }

    /// Returns the longest text about an input that leaves room for its name.
    private static func wait(for name: String, _ input: Input, at now: Instant, columns: Int) -> String {
        let name = TerminalText.printable(name)
        var words: [(before: String, after: String)] = []
        if let progress = input.progress, !progress.timeCodes.isEmpty {
            let moment = ", at \(TimeCode.text(progress.position))"
            words += [(", waiting for ", progress.timeCodes), (", waiting for ", moment), (", ", moment)]
        } else {
            let seconds = Int((now - input.start) / .seconds(1))
            words += [(", waiting \(seconds) s for ", ""), (", waiting for ", ""), (", ", "")]
        }
        let wanted = min(Self.shortestName, ColumnText.columns(of: name))
        for (before, after) in words {
            let room = columns - ColumnText.columns(of: before + after)
            if room >= wanted { return before + ColumnText.end(of: name, columns: room) + after }
        }
        return ", " + ColumnText.end(of: name, columns: max(0, columns - 2))
    }

    private func bar(columns: Int) -> String {
        guard columns >= 4 else { return "" }
        let filled = max(0, min(columns, Int(share * Double(columns))))
        return "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: columns - filled))] "
    }

    /// The time without an ended input after which the line names the input that is waited for.
    private static let patience = Duration.seconds(2)
    /// The time before which the remaining time cannot be estimated.
    private static let shortestRun = Duration.seconds(5)
    private static let bracketColumns = 3
    private static let shortestName = 16
    /// The least number of columns for the text after the bar; with less room there is no bar.
    private static let roomForWait = 36
}

extension MediaProgress {
    /// The position of the analysis in a video, for example ", at 0:12 of 1:02"; empty for media without time.
    fileprivate var timeCodes: String {
        // Pages have positions that are too short to be shown.
        guard position >= .milliseconds(100) || (duration ?? .zero) > .zero else { return "" }
        let length = duration.map { " of \(TimeCode.text($0))" } ?? ""
        return ", at \(TimeCode.text(position))\(length)"
    }
}
