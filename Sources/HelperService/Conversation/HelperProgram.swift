// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import CLinuxShims
package import FileAccess
internal import Glibc
package import HelperProtocol

/// The main program of a helper process.
package enum HelperProgram {
    /// Serves the host until the end of the process.
    ///
    /// The host has put its end of the conversation on descriptor 3, and `HelperOptions` into the arguments.
    ///
    /// - Parameter makeDecoder: loads and starts the decoding library.
    package static func run<Decoder: MediaDecoder>(
        decoder makeDecoder: () throws(DecodingFailure) -> Decoder
    ) -> Never {
        run(loading: { () throws(DecodingFailure) -> Decoder in
            CLinuxShims_reuse_memory(Decoder.largestReusedBlock)
            let decoder = try makeDecoder()
            TestPatternScanner.load()
            return decoder
        }) { decoder, socket, report in
            DecodingService(socket: socket, decoder: decoder, sandbox: report).run()
        }
    }

    /// Loads what is needed, closes the process, and serves the host until the end of the process.
    ///
    /// - Parameter serve: gives the exit status.
    package static func run<Library>(
        loading load: () throws(DecodingFailure) -> Library,
        serving serve: (Library, MessageSocket, SandboxReport) -> Int32
    ) -> Never {
        let options = optionsOrExit()
        do {
            var sandbox = try Sandbox(beginning: options)
            let library = try load()
            let report = try sandbox.close(sockets: [hostDescriptor], hasThreads: false)
            // The first thread, since it must be bound by the sandbox as well.
            guard CLinuxShims_exit_when_peer_closes(hostDescriptor) == 0 else { exit(1) }
            exit(serve(library, MessageSocket(OwnedDescriptor(hostDescriptor)), report))
        } catch {
            exit(1)
        }
    }

    /// Loads a library that starts threads, closes the process with them, and serves the host until its end.
    ///
    /// The process ends without running the handlers of libraries, whose threads go on until then.
    ///
    /// - Parameters:
    ///   - load: is given the connection to the host, and returns with all threads started.
    ///   - sockets: all connections to the host, by their descriptors.
    package static func runWithThreads<Library>(
        loading load: (MessageSocket) throws -> Library, sockets: (Library) -> [Int32],
        serving serve: (Library, SandboxReport) -> Void
    ) -> Never {
        let options = optionsOrExit()
        CLinuxShims_grow_memory_by(memoryGrowth)
        do {
            var sandbox = try Sandbox(beginning: options)
            // Before loading, which takes a second without a compiled copy: the host may end meanwhile.
            guard CLinuxShims_exit_when_peer_closes(hostDescriptor) == 0 else { _exit(1) }
            let library = try load(MessageSocket(OwnedDescriptor(hostDescriptor)))
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
    /// A library of this kind asks for tens of megabytes while it starts.
    private static let memoryGrowth = 4 << 20
}

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
