// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import HelperProtocol

/// The settings with which helper processes are started.
package struct HelperSettings: Sendable, Hashable {
    /// The bytes of address space that a process may add after loading its library.
    package var memoryLimit: Int
    /// Whether a helper without every layer of the sandbox is refused.
    package var requiresSandbox: Bool
    /// The layers of the sandbox that tests and measurements leave out.
    package var omittedLayers: Set<SandboxLayer> = []

    package init(memoryLimit: Int = AnalysisLimits().decoderMemory, requiresSandbox: Bool = false) {
        self.memoryLimit = memoryLimit
        self.requiresSandbox = requiresSandbox
    }

    /// The arguments of the process, in the form that `HelperOptions` reads.
    var arguments: [String] {
        [String(memoryLimit)] + omittedLayers.sorted { $0.rawValue < $1.rawValue }.map { "without=\($0.name)" }
    }
}
