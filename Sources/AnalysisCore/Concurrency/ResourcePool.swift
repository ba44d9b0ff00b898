// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A bounded number of things that tasks share, handed out in the order in which the tasks come unless it says otherwise.
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
    ///   - maximumWaitingCount: how many tasks may wait.
    ///   - alternates: whether, for now, the task that came last is as good as the one that came first, by turns.
    ///   - make: creates a resource when all that exist are in use and there may be more.
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
    /// - Throws: what the closure and `acquire` throw.
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

    /// Waits for a resource, which has to be released.
    ///
    /// - Throws: `ResourcePoolFull` if too many wait, or `CancellationError` if the task was cancelled while it waited.
    package func acquire() async throws -> Resource {
        try Task.checkCancellation()
        if let resource = free.popLast() { return resource }
        if createdCount < maximumCount {
            createdCount += 1
            return make()
        }
        guard waiting.count < maximumWaitingCount else { throw ResourcePoolFull() }
        lastIdentifier += 1
        let identifier = lastIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A cancellation before this point has found nothing to remove.
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

    /// Gives a resource back, to the next task that waits.
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

/// Thrown where more tasks wait for a resource than may.
package struct ResourcePoolFull: Error {}
