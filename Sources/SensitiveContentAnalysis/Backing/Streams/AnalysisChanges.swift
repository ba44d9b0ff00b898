// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The sequence of a log's analyses.
struct AnalysisChanges: AsyncSequence, Sendable {
    typealias Element = SCSensitivityAnalysis
    typealias Failure = any Error

    let log: AnalysisLog

    struct AsyncIterator: AsyncIteratorProtocol {
        let log: AnalysisLog
        var position = 0

        mutating func next() async throws -> SCSensitivityAnalysis? { try await log.next(after: &position) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> SCSensitivityAnalysis? {
            try await log.next(after: &position)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(log: log) }
}
