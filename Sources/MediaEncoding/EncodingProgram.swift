// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
package import HelperProtocol
package import HelperService

/// The main program of the encoder, which gets judged pixels and never the file that they come from.
package enum EncodingProgram {
    /// Serves the host until the end of the process.
    package static func run() -> Never {
        HelperProgram.run(largestFile: PictureMemory.largestByteCount) {
            try PictureEncoder()
        } serving: { encoder, socket, report in
            serve(socket, encoder, report)
        }
    }

    /// - Returns: the exit status of the process: 0 after an idle time or when the host is gone, otherwise 1.
    private static func serve(_ socket: MessageSocket, _ encoder: PictureEncoder, _ report: SandboxReport) -> Int32 {
        var file: EncodedFile?
        do {
            while true {
                let (bytes, attachment) = try socket.receive(within: idleMilliseconds)
                let serial = try MessageHeader(of: bytes).serial
                let reply: HelperReply
                switch try EncoderRequest(decoding: bytes) {
                case .hello: reply = .hello(HelperIdentity(library: encoder.library, sandbox: report))
                case .encode(let layout, let encoding):
                    file = nil
                    do throws(DecodingFailure) {
                        let encoded = try encode(attachment, layout, encoding, encoder)
                        reply = .pictureEncoded(byteCount: UInt64(encoded.byteCount))
                        file = encoded
                    } catch {
                        reply = .failure(error)
                    }
                case .writeEncoded:
                    guard let attachment, let encoded = file else { return 1 }
                    try encoded.write(to: try WritablePictureMemory(attachment, byteCount: encoded.byteCount))
                    file = nil
                    reply = .closed
                }
                try socket.send(reply.encoded(answering: serial))
            }
        } catch TransportError.closed, TransportError.timedOut {
            return 0
        } catch {
            return 1
        }
    }

    private static func encode(
        _ attachment: OwnedDescriptor?, _ layout: PixelLayout, _ encoding: PictureEncoding, _ encoder: PictureEncoder
    ) throws(DecodingFailure) -> EncodedFile {
        guard let attachment, let memory = try? SealedMemory(mapping: attachment) else {
            throw DecodingFailure(.unreadable)
        }
        let result = unsafe memory.withBytes { pixels in
            Result { () throws(DecodingFailure) in unsafe try encoder.encode(pixels, layout, encoding) }
        }
        return try result.get()
    }

    private static let idleMilliseconds: Int32 = 10_000
}
