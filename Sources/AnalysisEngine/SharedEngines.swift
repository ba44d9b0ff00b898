// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The engines of this process, one for each configuration; they live as long as the process.
package enum SharedEngines {
    private static let engines = Mutex<[EngineConfiguration: MediaEngine]>([:])

    package static func engine(for configuration: EngineConfiguration) -> MediaEngine {
        engines.withLock { engines in
            if let engine = engines[configuration] { return engine }
            let engine = configuration.makeEngine()
            engines[configuration] = engine
            return engine
        }
    }
}
