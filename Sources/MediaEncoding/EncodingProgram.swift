// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CVideoEncoderShims
internal import FileAccess
package import HelperProtocol
package import HelperService

/// The main program of the encoder, which gets judged pixels and never the file that they come from.
package enum EncodingProgram {
    /// Serves the host until the end of the process.
    package static func run() -> Never {
        HelperProgram.run(largestFile: PictureMemory.largestByteCount) {
            // A missing libx264 fails only requests for films.
            _ = CVideoEncoderShims_start()
            return try PictureEncoder()
        } serving: { encoder, socket, report in
            serve(socket, encoder, report)
        }
    }

    /// - Returns: the exit status of the process: 0 after an idle time or when the host is gone, otherwise 1.
    private static func serve(_ socket: MessageSocket, _ encoder: PictureEncoder, _ report: SandboxReport) -> Int32 {
        var file: EncodedFile?
        var sequence: (any SequenceEncoder)?
        do {
            while true {
                // The host decodes and scores between frames, and must not lose the frames before.
                let (bytes, attachment) = try socket.receive(
                    within: sequence == nil ? idleMilliseconds : idleMillisecondsOfSequence)
                let serial = try MessageHeader(of: bytes).serial
                let reply: HelperReply
                switch try EncoderRequest(decoding: bytes) {
                case .hello: reply = .hello(HelperIdentity(library: encoder.library, sandbox: report))
                case .encode(let layout, let encoding):
                    (file, sequence) = (nil, nil)
                    reply = Self.reply { () throws(DecodingFailure) in
                        let encoded = try withPixels(of: attachment) { pixels throws(DecodingFailure) in
                            unsafe try encoder.encode(pixels, layout, encoding)
                        }
                        file = encoded
                        return .fileReady(byteCount: UInt64(encoded.byteCount))
                    }
                case .beginSequence(let encoding, let width, let height):
                    (file, sequence) = (nil, nil)
                    reply = Self.reply { () throws(DecodingFailure) in
                        sequence =
                            switch encoding.format {
                            case .webp: try AnimationEncoder(encoding, width: Int(width), height: Int(height))
                            case .mp4: try FilmEncoder(encoding, width: Int(width), height: Int(height))
                            }
                        return .closed
                    }
                case .addFrame(let layout, let shown):
                    guard let current = sequence else { return 1 }
                    reply = Self.reply { () throws(DecodingFailure) in
                        try withPixels(of: attachment) { pixels throws(DecodingFailure) in
                            unsafe try current.add(pixels, layout, shown)
                        }
                        return .closed
                    }
                case .finishSequence:
                    guard let current = sequence else { return 1 }
                    sequence = nil
                    reply = Self.reply { () throws(DecodingFailure) in
                        let encoded = try current.finish()
                        file = encoded
                        return .fileReady(byteCount: UInt64(encoded.byteCount))
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

    private static func reply(_ body: () throws(DecodingFailure) -> HelperReply) -> HelperReply {
        do throws(DecodingFailure) {
            return try body()
        } catch {
            return .failure(error)
        }
    }

    /// Calls the closure with the pixels in sealed memory.
    private static func withPixels<Value>(
        of attachment: OwnedDescriptor?, _ body: (UnsafeRawBufferPointer) throws(DecodingFailure) -> Value
    ) throws(DecodingFailure) -> Value {
        guard let attachment, let memory = try? SealedMemory(mapping: attachment) else {
            throw DecodingFailure(.unreadable)
        }
        return try unsafe memory.withBytes { pixels in
            Result { () throws(DecodingFailure) in unsafe try body(pixels) }
        }.get()
    }

    private static let idleMilliseconds: Int32 = 10_000
    private static let idleMillisecondsOfSequence: Int32 = 120_000
}
