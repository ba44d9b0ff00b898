// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// What the host says in the arguments of a decoder.
package struct HelperOptions: Sendable, Equatable {
    /// The address space that decoding may use beyond what its library needs to start, in bytes.
    package var memoryLimit: UInt64
    /// Layers of the sandbox that are left out, by tests of the others and by measurements.
    package var omittedLayers: Set<SandboxLayer> = []
    /// A version of Landlock that a test simulates; newer ones count as this one.
    package var newestLandlockVersion: UInt8 = .max

    /// - Parameter arguments: the memory limit, then `without=LAYER` or `landlock=VERSION` any number of times.
    package init?(arguments: some Sequence<String>) {
        var rest = arguments.makeIterator()
        guard let memoryLimit = rest.next().flatMap(UInt64.init), memoryLimit <= 1 << 50 else { return nil }
        self.memoryLimit = memoryLimit
        while let argument = rest.next() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            switch parts.first {
            case "without":
                guard let layer = parts.last.flatMap(SandboxLayer.init) else { return nil }
                omittedLayers.insert(layer)
            case "landlock":
                guard let version = parts.last.flatMap(UInt8.init) else { return nil }
                newestLandlockVersion = version
            default: return nil
            }
        }
    }
}
