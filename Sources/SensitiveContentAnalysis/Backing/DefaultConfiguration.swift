// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// The configuration of analyzers that have none of their own, and who wants to know when it becomes another.
final class DefaultConfiguration: Sendable {
    static let shared = DefaultConfiguration()

    private let configuration = Mutex(SCSensitivityAnalyzer.Configuration())
    private let changed = Broadcast<Void>()

    var value: SCSensitivityAnalyzer.Configuration {
        get { configuration.withLock { $0 } }
        set {
            let isNew = configuration.withLock { configuration in
                defer { configuration = newValue }
                return configuration != newValue
            }
            if isNew { changed.send(()) }
        }
    }

    /// Tells whenever the configuration has become another.
    func changes() -> AsyncStream<Void> { changed.values() }
}
