// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// Finds the inputs on a thread of its own, because listings of folders and reads of names can block.
final class InputFeed: Sendable {
    private let thread = WorkerThread()
    private let iterator: Mutex<InputIterator>
    private let known = Mutex(0)

    init(_ iterator: sending InputIterator) {
        self.iterator = Mutex(iterator)
    }

    /// Returns the next input; nil if there is none.
    func next() async -> FoundInput? {
        await thread.result { [self] in
            iterator.withLock { iterator in
                let input = iterator.next()
                let count = iterator.knownCount
                known.withLock { $0 = count }
                return input
            }
        }
    }

    /// The number of inputs that are known and not yet returned.
    var knownCount: Int { known.withLock { $0 } }
}
