// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc
internal import Synchronization

/// A program that is started at each change of a stream, with the state in words and the name of the stream.
///
/// The program gets neither a score nor a frame, and no shell reads its arguments. One program runs at a time. Of the
/// changes that come meanwhile, the newest of each stream follows, and before it a change to sensitive.
final class WatchHook: Sendable {
    private let path: String
    private let state = Mutex(State())

    private struct State {
        var isRunning = false
        var waiting: [(words: String, stream: String)] = []
        var hasFailed = false
    }

    init(path: String) {
        self.path = path
    }

    /// Whether the program could not be started, or did not end.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Starts the program, or lets the change wait for its end.
    func call(_ words: String, stream: String) {
        let starts = state.withLock { state in
            let sensitive = WatchState(name: .sensitive).words
            state.waiting.removeAll { $0.stream == stream && ($0.words != sensitive || words == sensitive) }
            state.waiting.append((words, stream))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { next() }
    }

    /// Waits until all changes have been told, for five seconds at most; says so if some have not.
    func finish() async {
        let end = ContinuousClock.now + .seconds(5)
        while state.withLock({ $0.isRunning }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(20))
        }
        let left = state.withLock { state in
            if state.isRunning { state.hasFailed = true }
            return state.isRunning ? state.waiting.count : nil
        }
        guard let left else { return }
        StandardError.write(
            "\(TerminalText.printable(path)) still runs, and was not told of \(left) changes. It has to end sooner.\n")
    }

    private func next() {
        let change = state.withLock { state in
            if state.waiting.isEmpty {
                state.isRunning = false
                return nil as (words: String, stream: String)?
            }
            return state.waiting.removeFirst()
        }
        guard let change else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [change.words, change.stream]
        process.standardInput = FileHandle.nullDevice
        // Output of the program must not mix with results on standard output.
        process.standardOutput = FileHandle.standardError
        process.terminationHandler = { [self] _ in next() }
        do {
            try process.run()
        } catch {
            state.withLock { $0.hasFailed = true }
            StandardError.write(
                "\(TerminalText.printable(path)) could not be started. Check that it is a program, and that the program in"
                    + " its first line exists.\n")
            next()
        }
    }
}
