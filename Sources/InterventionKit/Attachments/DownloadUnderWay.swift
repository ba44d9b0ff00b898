// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// One download for all who wait for it, which is cancelled when the last of them gives up.
///
/// Who comes after that waits for its end as well, so that there is one at a time: what an abandoned one brings must not
/// come later.
final class DownloadUnderWay: Sendable {
    private let task: Task<URL, any Error>
    private let waitingCount = Mutex(0)

    init(_ download: @escaping @Sendable () async throws -> URL) {
        task = Task { try await download() }
    }

    /// Whether it was given up, so that its failure means nothing.
    var isAbandoned: Bool { task.isCancelled }

    /// What has come of it.
    ///
    /// - Throws: `CancellationError` where the caller is cancelled, or what the download throws.
    func file() async throws -> URL {
        waitingCount.withLock { $0 += 1 }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            let isLast = waitingCount.withLock { count in
                count -= 1
                return count == 0
            }
            if isLast { task.cancel() }
        }
        try Task.checkCancellation()
        return try result.get()
    }
}
