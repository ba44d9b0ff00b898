// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import TestSupport
import Testing

@Suite("A shared task")
struct SharedTaskTests {
    private struct Failure: Error {}

    private static func until(_ holds: () -> Bool) async throws {
        while !holds() { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test("A shared task runs once for all callers that wait, and keeps the value", .timeLimit(.minutes(1)))
    func once() async throws {
        let runs = Shared(0)
        let task = SharedTask { run in
            runs.change { $0 += 1 }
            try await Task.sleep(for: .milliseconds(20))
            return run
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await task.value() } }
            for try await value in group { #expect(value == 1) }
        }
        #expect(try await task.value() == 1 && runs.value == 1)
    }

    @Test("A shared task runs again after an error, with the next number", .timeLimit(.minutes(1)))
    func again() async throws {
        let task = SharedTask { run in
            if run == 1 { throw Failure() }
            return run
        }
        await #expect(throws: Failure.self) { try await task.value() }
        #expect(try await task.value() == 2)
    }

    @Test("A shared task drops a cancelled caller, and ends when the last caller is cancelled", .timeLimit(.minutes(1)))
    func givenUp() async throws {
        let ended = Shared(0)
        let task = SharedTask { run in
            if run > 1 { return run }
            do {
                while true { try await Task.sleep(for: .milliseconds(2)) }
            } catch {
                ended.change { $0 += 1 }
                throw error
            }
        }
        let (one, other) = (Task { try await task.value() }, Task { try await task.value() })
        try await Task.sleep(for: .milliseconds(20))
        one.cancel()
        await #expect(throws: CancellationError.self) { try await one.value }
        #expect(ended.value == 0)
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.value }
        try await Self.until { ended.value == 1 }
        #expect(try await task.value() == 2)
    }

    @Test(
        "An exclusive shared task has one run at a time, and the result of an abandoned run counts",
        .timeLimit(.minutes(1)))
    func exclusive() async throws {
        let (running, most, isLetGo) = (Shared(0), Shared(0), Shared(false))
        let task = SharedTask(isExclusive: true) { run in
            let count = running.change { $0 += 1 }
            most.change { $0 = max($0, count) }
            defer { running.change { $0 -= 1 } }
            // The work ignores cancellation.
            await Task { try? await Self.until { isLetGo.value } }.value
            return run
        }
        for _ in 0..<3 {
            let waiting = Task { try await task.value() }
            try await Self.until { running.value == 1 }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        let last = Task { try await task.value() }
        try await Task.sleep(for: .milliseconds(20))
        isLetGo.change { $0 = true }
        #expect(try await last.value == 1)
        #expect(most.value == 1)
    }

    @Test(
        "An exclusive shared task runs again for a caller that came after the abandoned run, if that run failed",
        .timeLimit(.minutes(1)))
    func exclusiveFailure() async throws {
        let (begun, isLetGo) = (Shared(0), Shared(false))
        let task = SharedTask(isExclusive: true) { run in
            begun.change { $0 += 1 }
            if run > 1 { return run }
            await Task { try? await Self.until { isLetGo.value } }.value
            throw CancellationError()
        }
        let first = Task { try await task.value() }
        try await Self.until { begun.value == 1 }
        first.cancel()
        _ = try? await first.value
        let second = Task { try await task.value() }
        try await Task.sleep(for: .milliseconds(20))
        isLetGo.change { $0 = true }
        #expect(try await second.value == 2)
    }

    @Test("A cancellation handler can wait for a shared task and give it up", .timeLimit(.minutes(1)))
    func handlers() async throws {
        let began = Shared(false)
        let other = Shared<Task<Int, any Error>?>(nil)
        let task = SharedTask { run in
            if run > 1 {
                try await Task.sleep(for: .seconds(3600))
                return run
            }
            return try await withTaskCancellationHandler {
                began.change { $0 = true }
                try await Task.sleep(for: .seconds(3600))
                return run
            } onCancel: {
                // An app's own handler might cancel another caller of the same task.
                other.value?.cancel()
            }
        }
        let first = Task { try await task.value() }
        try await Self.until { began.value }
        let second = Task { try await task.value() }
        other.change { $0 = second }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        await #expect(throws: CancellationError.self) { try await second.value }
    }
}
