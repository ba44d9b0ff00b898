// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// The configuration of analyzers without a configuration of their own, with listeners for its changes.
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

    /// Sends an element after each change of the configuration.
    func changes() -> AsyncStream<Void> { changed.values() }
}
