// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLinuxShims
package import DecoderProtocol
internal import Glibc

/// The main program of a decoder.
package enum DecoderProgram {
    /// Serves the host until the end of the process.
    ///
    /// The host has put its end of the conversation on descriptor 3, and the memory limit into the first argument.
    ///
    /// - Parameter makeDecoder: starts the decoding library.
    package static func run<Decoder: MediaDecoder>(
        decoder makeDecoder: @escaping () throws(DecodingFailure) -> Decoder
    ) -> Never {
        let socket = MessageSocket(OwnedDescriptor(3))
        let memoryLimit = CommandLine.arguments.dropFirst().first.flatMap(UInt64.init)
        guard let memoryLimit, CLinuxShims_exit_when_peer_closes(socket.number) == 0 else {
            let explanation = "A decoder is started by the SensitiveContentAnalysis library, not by hand.\n"
            _ = unsafe explanation.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
            exit(64)
        }
        exit(DecodingService(socket: socket, memoryLimit: memoryLimit, decoder: makeDecoder).run())
    }
}
