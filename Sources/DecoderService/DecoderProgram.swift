// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLinuxShims
package import DecoderProtocol
internal import Glibc

/// The main program of a decoder.
package enum DecoderProgram {
    /// Serves the host until the end of the process.
    ///
    /// The host has put its end of the conversation on descriptor 3, and `DecoderOptions` into the arguments.
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
        guard let options = DecoderOptions(arguments: CommandLine.arguments.dropFirst()), isSocket(hostDescriptor)
        else {
            let explanation = "A decoder is started by the SensitiveContentAnalysis library, not by hand.\n"
            _ = unsafe explanation.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
            exit(64)
        }
        do {
            var sandbox = try Sandbox(beginning: options)
            let library = try load()
            let report = try sandbox.close()
            // The first thread, since it must be bound by the sandbox as well.
            guard CLinuxShims_exit_when_peer_closes(hostDescriptor) == 0 else { exit(1) }
            exit(serve(library, MessageSocket(OwnedDescriptor(hostDescriptor)), report))
        } catch {
            exit(1)
        }
    }

    private static func isSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    private static let hostDescriptor: Int32 = 3
}
