// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import HelperHost
internal import Synchronization

/// A program that is started at each change of a stream, with the state in words and the name of the stream.
///
/// The program gets neither a score nor a frame, and no shell reads its arguments. One program runs at a time. Of the
/// changes that come meanwhile, the newest of each stream follows, and before it a change to sensitive. A program that
/// takes long is left alone, so that it hides no later change.
final class WatchHook: Sendable {
    private let path: String
    private let patience: Int32
    private let queue = DispatchQueue(label: "sca.watch.exec")
    private let state = Mutex(State())

    private struct State {
        var isRunning = false
        var waiting: [(words: String, stream: String)] = []
        /// The programs that took long and have not ended.
        var slow: [ExternalProgram] = []
        var hasFailed = false
    }

    /// The number of slow programs that may run at once; changes wait beyond it.
    private static let mostSlow = 8

    /// - Parameter patience: the time after which the next change does not wait for a program, in milliseconds.
    init(path: String, patience: Int32 = 10_000) {
        (self.path, self.patience) = (path, patience)
    }

    /// Whether the program could not be started, or did not end.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Starts the program, or lets the change wait for its end.
    func call(_ words: String, stream: String) {
        let starts = state.withLock { state in
            guard state.isRunning else {
                state.isRunning = true
                return true
            }
            let sensitive = WatchState(name: .sensitive).words
            state.waiting.removeAll { $0.stream == stream && ($0.words != sensitive || words == sensitive) }
            state.waiting.append((words, stream))
            return false
        }
        if starts { queue.async { self.tell(words, stream) } }
    }

    /// Waits until all changes have been told, for five seconds at most; says so if some have not.
    func finish() async {
        let end = ContinuousClock.now + .seconds(5)
        while state.withLock({ $0.isRunning }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(20))
        }
        let left = state.withLock { $0.isRunning ? $0.waiting.count : nil }
        if let left { fail("still runs, and was not told of \(left) changes. It has to end sooner.") }
    }

    /// Tells a change, and then those that came meanwhile.
    private func tell(_ words: String, _ stream: String) {
        var next: (words: String, stream: String)? = (words, stream)
        while let change = next {
            if let program = try? ExternalProgram(path: path, arguments: [change.words, change.stream]) {
                if !program.hasEnded(within: patience) { wait(for: program) }
            } else {
                fail("could not be started. Check that it is a program, and that the program in its first line exists.")
            }
            next = state.withLock { state in
                state.isRunning = !state.waiting.isEmpty
                return state.isRunning ? state.waiting.removeFirst() : nil
            }
        }
    }

    /// Lets a slow program run on, unless there are too many of them.
    private func wait(for program: ExternalProgram) {
        fail("takes longer than \(patience / 1000) s. The next change does not wait for it.")
        var slow = state.withLock { $0.slow } + [program]
        while true {
            slow.removeAll { $0.hasEnded(within: 0) }
            if slow.count <= Self.mostSlow { break }
            _ = slow[0].hasEnded(within: 1000)
        }
        state.withLock { [slow] state in state.slow = slow }
    }

    private func fail(_ message: String) {
        let isFirst = state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed
        }
        if isFirst { StandardError.write("\(TerminalText.printable(path)) \(message)\n") }
    }
}
