// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A layer of the sandbox around a helper process; each layer holds even if another layer has a flaw.
package enum SandboxLayer: UInt8, Sendable, CaseIterable {
    /// No capability, and no new rights from running a program.
    case noNewPrivileges = 0
    /// A user, network and IPC namespace of its own: no network, no abstract socket, no capability outside.
    case namespaces = 1
    /// A mount namespace with an empty root: no file has a path.
    case emptyFileSystem = 2
    /// Limits of the kernel: no core dump, no growing file, few descriptors, and a limit on processor time.
    case resourceLimits = 3
    /// A limit on the address space of the process.
    case memoryLimit = 4
    /// Landlock without a rule: no file by its path, and on newer kernels no TCP and no signal to other processes.
    case landlock = 5
    /// A fixed list of allowed system calls.
    case systemCallFilter = 6

    /// The name for reports, and for tests that leave the layer out.
    package var name: String {
        switch self {
        case .noNewPrivileges: "no-new-privileges"
        case .namespaces: "namespaces"
        case .emptyFileSystem: "empty-file-system"
        case .resourceLimits: "resource-limits"
        case .memoryLimit: "memory-limit"
        case .landlock: "landlock"
        case .systemCallFilter: "system-call-filter"
        }
    }

    package init?(name: String) {
        guard let layer = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = layer
    }
}
