// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import CLinuxShims
import Glibc

/// A system call that a hostile decoder tries.
enum Effect: String {
    case fork, execute, socket, open
    case create
    case signalParent = "signal-parent"
    case memoryFile = "memory-file"

    /// - Returns: 0 if the system call succeeded, or an errno value.
    func attempt(_ argument: String) -> Int32 {
        switch self {
        case .fork: unsafe Self.withProgram(argument) { unsafe posix_spawn(nil, argument, nil, nil, $0, nil) }
        case .execute: unsafe Self.withProgram(argument) { Self.error(of: unsafe execv(argument, $0)) }
        case .socket: Self.error(of: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        case .open: Self.error(of: unsafe Glibc.open(argument, O_RDONLY))
        case .create: Self.error(of: unsafe Glibc.open(argument, O_CREAT | O_WRONLY, 0o600))
        case .signalParent: Self.error(of: kill(getppid(), SIGTERM))
        case .memoryFile: unsafe max(0, -CLinuxShims_memory_create("test"))
        }
    }

    private static func withProgram(
        _ path: String, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(path), nil]
        defer { unsafe free(arguments[0]) }
        return unsafe arguments.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
    }

    private static func error(of result: Int32) -> Int32 { result < 0 ? errno : 0 }
}
