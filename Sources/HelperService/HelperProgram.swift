// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLinuxShims
internal import FileAccess
internal import Glibc
package import HelperProtocol

/// The main program of a helper process.
package enum HelperProgram {
    /// Loads a library, closes the sandbox, and serves the host until the end of the process.
    ///
    /// The host has put the socket on descriptor 3, and `HelperOptions` into the arguments.
    ///
    /// - Parameters:
    ///   - largestFile: the size in bytes up to which the process may write memory that the host has made.
    ///   - serve: serves the host, and returns the exit status.
    package static func run<Library>(
        largestFile: UInt64 = 0, loading load: () throws -> Library,
        serving serve: (Library, MessageSocket, SandboxReport) -> Int32
    ) -> Never {
        let options = optionsOrExit()
        do {
            var sandbox = try Sandbox(beginning: options)
            let library = try load()
            let report = try sandbox.close(
                sockets: [hostDescriptor], hasThreads: false, largestFile: largestFile)
            // The thread starts after the sandbox is closed, because the sandbox must bind it as well.
            guard CLinuxShims_exit_when_peer_closes(hostDescriptor) == 0 else { exit(1) }
            exit(serve(library, MessageSocket(OwnedDescriptor(hostDescriptor)), report))
        } catch {
            exit(1)
        }
    }

    /// Loads a library that starts threads, closes the sandbox around them, and serves the host until its end.
    ///
    /// The process ends without the exit handlers of libraries, because their threads run until then.
    ///
    /// - Parameters:
    ///   - load: gets the connection to the host, and returns after all threads have started. Before it reads input
    ///     from strangers, it calls its second argument with the bytes of memory that the reading may need.
    ///   - sockets: returns the descriptors of all connections to the host.
    package static func runWithThreads<Library>(
        loading load: (MessageSocket, _ limitMemory: (Int) -> Void) throws -> Library, sockets: (Library) -> [Int32],
        serving serve: (Library, SandboxReport) -> Void
    ) -> Never {
        let options = optionsOrExit()
        CLinuxShims_grow_memory_by(memoryGrowth)
        do {
            var sandbox = try Sandbox(beginning: options, readsInputWhileLoading: true)
            // Before loading, because the host may end meanwhile: loading takes a second without a compiled copy.
            guard CLinuxShims_exit_when_peer_closes(hostDescriptor) == 0 else { _exit(1) }
            let library = try load(MessageSocket(OwnedDescriptor(hostDescriptor))) { byteCount in
                _ = Sandbox.limitMemory(options, adding: byteCount)
            }
            let report = try sandbox.close(sockets: sockets(library), hasThreads: true)
            serve(library, report)
            _exit(0)
        } catch {
            _exit(1)
        }
    }

    private static func optionsOrExit() -> HelperOptions {
        guard let options = HelperOptions(arguments: CommandLine.arguments.dropFirst()), isSocket(hostDescriptor)
        else {
            let explanation = "A helper is started by the SensitiveContentAnalysis library, not by hand.\n"
            _ = unsafe explanation.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
            exit(64)
        }
        return options
    }

    private static func isSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    private static let hostDescriptor: Int32 = 3
    /// The least growth of memory in one step, in bytes; a library with threads needs tens of megabytes at its start.
    private static let memoryGrowth = 4 << 20
}
