// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A worker in use, and the pool that it returns to.
final class WorkerLease: Sendable {
    let worker: HelperWorker
    private let pool: Mutex<HelperPool>
    private let first: HelperPool

    init(_ worker: HelperWorker, of pool: HelperPool) {
        self.worker = worker
        first = pool
        self.pool = Mutex(pool)
    }

    /// Whether the worker returns to another pool than the one it came from.
    var hasMoved: Bool { currentPool !== first }

    private var currentPool: HelperPool { pool.withLock { $0 } }

    /// The load of the pool that the worker returns to.
    var load: PoolLoad { currentPool.load }

    func end() async { await currentPool.release(worker) }

    /// Changes to another pool of the same decoders, which gives a free worker for this one.
    ///
    /// - Returns: whether the other pool had a free worker.
    func move(to other: HelperPool) async -> Bool {
        let former = currentPool
        guard former !== other else { return true }
        guard let free = await other.exchangeFreeWorker(for: worker) else { return false }
        pool.withLock { $0 = other }
        await former.take(free, for: worker)
        return true
    }
}
