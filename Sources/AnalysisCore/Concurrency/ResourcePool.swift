// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A pool with a bounded number of resources, which serves the longest waiting task first unless it alternates.
package actor ResourcePool<Resource: Sendable> {
    private let maximumCount: Int
    private let maximumWaitingCount: Int
    private let alternates: @Sendable () -> Bool
    private let make: @Sendable () -> Resource
    private var isNewestNext = false
    private var createdCount = 0
    private var free: [Resource] = []
    private var waiting: [(identifier: Int, continuation: CheckedContinuation<Resource, any Error>)] = []
    private var lastIdentifier = 0

    /// - Parameters:
    ///   - maximumWaitingCount: the largest number of tasks that may wait.
    ///   - alternates: whether the pool serves the newest and the oldest waiting task by turns; called at each release.
    ///   - make: creates a resource, when all resources are in use and their number is below `maximumCount`.
    package init(
        maximumCount: Int, maximumWaitingCount: Int = .max,
        alternating alternates: @escaping @Sendable () -> Bool = { false },
        creating make: @escaping @Sendable () -> Resource
    ) {
        self.maximumCount = max(1, maximumCount)
        self.maximumWaitingCount = maximumWaitingCount
        self.alternates = alternates
        self.make = make
    }

    /// Runs the closure with a resource that no other task uses meanwhile.
    ///
    /// - Throws: the errors of the closure and of `acquire`.
    package nonisolated func withResource<Value: Sendable>(
        _ body: @Sendable (Resource) async throws -> Value
    ) async throws -> Value {
        let resource = try await acquire()
        do {
            let value = try await body(resource)
            await release(resource)
            return value
        } catch {
            await release(resource)
            throw error
        }
    }

    /// Waits for a resource, which the caller has to release.
    ///
    /// - Throws: `ResourcePoolFull` if too many tasks wait, or `CancellationError` if the task was cancelled meanwhile.
    package func acquire() async throws -> Resource {
        try Task.checkCancellation()
        if let resource = acquireIfFree() { return resource }
        guard waiting.count < maximumWaitingCount else { throw ResourcePoolFull() }
        lastIdentifier += 1
        let identifier = lastIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // `onCancel` may have run before the task was in the list, so a cancellation is checked here.
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiting.append((identifier, continuation))
                }
            }
        } onCancel: {
            Task { await self.stopWaiting(identifier) }
        }
    }

    /// Returns a resource that is free now; nil if all are in use.
    package func acquireIfFree() -> Resource? {
        if let resource = free.popLast() { return resource }
        guard createdCount < maximumCount else { return nil }
        createdCount += 1
        return make()
    }

    /// Passes a resource to the next waiting task, or puts it back into the pool.
    package func release(_ resource: Resource) {
        if waiting.isEmpty {
            free.append(resource)
        } else {
            isNewestNext = alternates() && !isNewestNext
            let next = isNewestNext ? waiting.removeLast() : waiting.removeFirst()
            next.continuation.resume(returning: resource)
        }
    }

    private func stopWaiting(_ identifier: Int) {
        guard let index = waiting.firstIndex(where: { $0.identifier == identifier }) else { return }
        waiting.remove(at: index).continuation.resume(throwing: CancellationError())
    }
}

/// The error of a task that asks for a resource while the largest allowed number of tasks waits.
package struct ResourcePoolFull: Error {}
