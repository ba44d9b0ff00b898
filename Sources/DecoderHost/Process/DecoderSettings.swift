// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import DecoderProtocol

/// How decoder processes are started.
package struct DecoderSettings: Sendable, Hashable {
    /// The memory of one process beyond what it needs to start, in bytes.
    package var memoryLimit: Int
    /// Whether a decoder without every layer of the sandbox is not used.
    package var requiresSandbox: Bool
    /// Layers that tests and measurements leave out.
    package var omittedLayers: Set<SandboxLayer> = []

    package init(memoryLimit: Int = AnalysisLimits().decoderMemory, requiresSandbox: Bool = false) {
        self.memoryLimit = memoryLimit
        self.requiresSandbox = requiresSandbox
    }

    /// What the decoder's `DecoderOptions` read.
    var arguments: [String] {
        [String(memoryLimit)] + omittedLayers.sorted { $0.rawValue < $1.rawValue }.map { "without=\($0.name)" }
    }
}
