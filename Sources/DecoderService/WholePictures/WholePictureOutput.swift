// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import FileAccess
package import HelperProtocol

/// The host's memory for a picture that the app displays, which is made once the size of the picture is known.
///
/// The size is the reply to the first request. The next request brings the memory, while the picture is being decoded.
package final class WholePictureOutput {
    private let socket: MessageSocket
    /// The serial of the latest request about the picture.
    private(set) var serial: UInt64
    /// The host's request that came instead of the memory, or the error of the connection.
    private(set) var interruption: Result<(bytes: [UInt8], attachment: OwnedDescriptor?), any Error>?

    init(_ socket: MessageSocket, serial: UInt64) {
        self.socket = socket
        self.serial = serial
    }

    /// The time for which the next frame is shown; nil for the picture of a file.
    package var shown: TimeSpan?

    /// Tells the host the size of the picture, and returns the memory for its pixels.
    ///
    /// - Throws: `internalError` if the host sends none.
    package func memory(for picture: WholePictureReply) throws(DecodingFailure) -> WritablePictureMemory {
        let reply = shown.map { HelperReply.wholeFrame(picture, $0) } ?? .wholePicture(picture)
        guard let layout = picture.layout else { throw DecodingFailure(.malformed, detail: "no pixels") }
        let attachment: OwnedDescriptor?
        do {
            try socket.send(reply.encoded(answering: serial))
            let (bytes, received) = try socket.receive(within: Self.longestWait)
            guard case .writeWholePicture = try DecoderRequest(decoding: bytes) else {
                interruption = .success((bytes, received))
                throw DecodingFailure(.internalError, detail: "the picture is not wanted any more")
            }
            serial = try MessageHeader(of: bytes).serial
            attachment = received
        } catch let failure as DecodingFailure {
            throw failure
        } catch {
            interruption = .failure(error)
            throw DecodingFailure(.internalError, detail: "the host is gone")
        }
        guard let attachment else { throw DecodingFailure(.unreadable) }
        do {
            return try WritablePictureMemory(attachment, byteCount: layout.byteCount)
        } catch {
            throw DecodingFailure(.internalError, detail: "memory of a wrong size")
        }
    }

    /// The longest wait for the memory, in milliseconds; the host may wait for its turn.
    private static let longestWait: Int32 = 120_000
}
