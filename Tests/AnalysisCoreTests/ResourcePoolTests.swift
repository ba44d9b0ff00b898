// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import TestSupport
import Testing

@Suite("A pool of resources")
struct ResourcePoolTests {
    @Test("A pool of resources serves all tasks, and hands out at most as many resources as its bound")
    func bound() async throws {
        let created = Shared(0)
        let inUse = Shared((now: 0, most: 0))
        let pool = ResourcePool(maximumCount: 3) { _ = created.change { $0 += 1 } }
        let served = try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await pool.withResource { _ in
                        inUse.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        await Task.yield()
                        inUse.change { $0.now -= 1 }
                    }
                }
            }
            return try await group.reduce(into: 0) { count, _ in count += 1 }
        }
        #expect(served == 100)
        #expect(inUse.value.most <= 3)
        #expect(created.value <= 3)
    }

    @Test("A task that is cancelled while it waits leaves, and the place goes to the next")
    func cancellation() async throws {
        let pool = ResourcePool(maximumCount: 1) {}
        let (started, start) = AsyncStream<Void>.makeStream()
        let (finish, finisher) = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await pool.withResource { _ in
                start.finish()
                for await _ in finish {}
            }
        }
        for await _ in started {}
        let waiting = Task { try await pool.withResource { _ in } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let next = Task { try await pool.withResource { _ in true } }
        finisher.finish()
        #expect(try await next.value)
        try await holder.value
    }

    @Test("A full queue refuses further tasks, and accepts them again when it has room")
    func fullQueue() async throws {
        let pool = ResourcePool(maximumCount: 1, maximumWaitingCount: 0) {}
        _ = try await pool.withResource { _ in
            await #expect(throws: ResourcePoolFull.self) { _ = try await pool.acquire() }
        }
        #expect(try await pool.withResource { _ in true })
    }

    @Test("In trouble, the newest and the oldest waiting task take turns")
    func alternation() async throws {
        let pool = ResourcePool(maximumCount: 1, alternating: { true }) {}
        let order = Shared<[Int]>([])
        try await pool.acquire()
        var tasks: [Task<Void, any Error>] = []
        for index in 0..<6 {
            let task = Task<Void, any Error> {
                try await pool.withResource { _ in _ = order.change { $0.append(index) } }
            }
            tasks.append(task)
            // The pause makes the tasks wait in the order of their indices.
            try await Task.sleep(for: .milliseconds(20))
        }
        await pool.release(())
        for task in tasks { try await task.value }
        #expect(order.value == [5, 0, 4, 1, 3, 2])
    }

    @Test("A resource comes back when its user throws")
    func failure() async throws {
        struct Failure: Error {}
        let pool = ResourcePool(maximumCount: 1) {}
        await #expect(throws: Failure.self) { try await pool.withResource { _ in throw Failure() } }
        #expect(try await pool.withResource { _ in true })
    }
}
