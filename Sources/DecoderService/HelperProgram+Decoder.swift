// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLinuxShims
internal import HelperProtocol
package import HelperService

extension HelperProgram {
    /// Serves the host with a decoder until the end of the process.
    ///
    /// - Parameter makeDecoder: loads and starts the decoding library.
    package static func run<Decoder: MediaDecoder>(decoder makeDecoder: () throws -> Decoder) -> Never {
        run(
            largestFile: PictureMemory.largestByteCount,
            loading: {
                CLinuxShims_reuse_memory(Decoder.largestReusedBlock)
                let decoder = try makeDecoder()
                TestPatternScanner.load()
                return decoder
            }
        ) { decoder, socket, report in
            DecodingService(socket: socket, decoder: decoder, sandbox: report).run()
        }
    }
}
