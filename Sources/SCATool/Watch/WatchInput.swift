// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import Glibc

/// The descriptors of sources, whose bytes the command moves and does not read.
enum WatchInput {
    /// Opens a source of bytes; opening a named pipe waits for the program that writes to it.
    ///
    /// - Throws: `inputUnreadable` with the remedy.
    static func open(_ source: WatchSource) throws(AnalysisFailure) -> OwnedDescriptor {
        switch source {
        case .pipe(let path): try pipe(path)
        case .socket(let path): try socket(path)
        case .datagrams(let port): try datagrams(port)
        case .standardInput: try standardInput()
        case .file, .device, .node:
            throw AnalysisFailure(.internalFailure, "A file was opened as a stream. Please report it.")
        }
    }

    private static func standardInput() throws(AnalysisFailure) -> OwnedDescriptor {
        try descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "Standard input")
    }

    private static func pipe(_ path: String) throws(AnalysisFailure) -> OwnedDescriptor {
        let opened = try descriptor(unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), "The pipe")
        var status = stat()
        guard unsafe fstat(opened.number, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            throw AnalysisFailure(.inputUnreadable, "The pipe was replaced while it was opened.")
        }
        return opened
    }

    private static func socket(_ path: String) throws(AnalysisFailure) -> OwnedDescriptor {
        let name = "The socket"
        let opened = try descriptor(Glibc.socket(AF_UNIX, streamType, 0), name)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            guard bytes.count < target.count else { return false }
            unsafe target.copyBytes(from: bytes)
            return true
        }
        guard fits else {
            throw AnalysisFailure(.inputUnreadable, "The path of the socket is too long. Start sca in its folder.")
        }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(opened.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw unreadable(name, errno) }
        // Nothing is ever sent to the other program.
        _ = shutdown(opened.number, Int32(SHUT_WR))
        return opened
    }

    private static func datagrams(_ port: LoopbackPort) throws(AnalysisFailure) -> OwnedDescriptor {
        let name = "Port \(port.port)"
        let type = Int32(SOCK_DGRAM.rawValue) | closeOnExec
        let opened = try descriptor(Glibc.socket(port.isVersion6 ? AF_INET6 : AF_INET, type, 0), name)
        // A stream that comes in bursts would lose datagrams; the system may give less.
        var size: Int32 = 4 << 20
        _ = unsafe setsockopt(opened.number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        guard bind(opened, to: port) == 0 else { throw unreadable(name, errno) }
        return opened
    }

    private static func bind(_ socket: OwnedDescriptor, to port: LoopbackPort) -> Int32 {
        func bind<Address>(_ address: Address) -> Int32 {
            unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.bind(socket.number, $0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        if port.isVersion6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.port.bigEndian
            address.sin6_addr = in6addr_loopback
            return bind(address)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.port.bigEndian
        address.sin_addr.s_addr = port.address.bigEndian
        return bind(address)
    }

    private static func descriptor(_ number: Int32, _ name: String) throws(AnalysisFailure) -> OwnedDescriptor {
        guard number >= 0 else { throw unreadable(name, errno) }
        return OwnedDescriptor(number)
    }

    private static func unreadable(_ name: String, _ number: Int32) -> AnalysisFailure {
        let reason =
            switch number {
            case EACCES, EPERM: "cannot be opened: this account may not read it."
            case ECONNREFUSED:
                "cannot be opened: no program listens on it. Start the program that sends the stream first."
            case EADDRINUSE: "is used by another program. Choose another port."
            case EPROTOTYPE: "carries datagrams, and only byte streams are read from sockets."
            case ENOENT: "does not exist any more."
            default: "cannot be opened (error \(number) of the system)."
            }
        return AnalysisFailure(.inputUnreadable, "\(name) \(reason)")
    }

    private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
    private static let streamType = Int32(SOCK_STREAM.rawValue) | closeOnExec
}
