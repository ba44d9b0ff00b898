// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// The options that the host passes in the arguments of a helper.
package struct HelperOptions: Sendable, Equatable {
    /// The bytes of address space that the process may add after loading its library.
    package var memoryLimit: UInt64
    /// The layers of the sandbox that are left out; tests of other layers and measurements set them.
    package var omittedLayers: Set<SandboxLayer> = []
    /// The newest version of Landlock that may be used; a test simulates an older kernel with a lower number.
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
