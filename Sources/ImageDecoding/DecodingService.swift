// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CLinuxShims
package import DecoderProtocol

/// Answers the requests of the host, one after the other, until the host is gone or has been silent for a while.
package struct DecodingService {
    private let socket: MessageSocket
    private let memoryLimit: UInt64
    private let program: String

    /// - Parameter memoryLimit: the address space that decoding may use beyond what libvips needs to start, in bytes.
    package init(socket: MessageSocket, memoryLimit: UInt64, program: String) {
        self.socket = socket
        self.memoryLimit = memoryLimit
        self.program = program
    }

    /// Serves until the end.
    ///
    /// - Returns: the exit status of the process: 0 after an idle time or when the host is gone.
    package func run() -> Int32 {
        do {
            CLinuxShims_reuse_memory(Self.largestReusedBlock)
            let decoder = try ImageDecoder(program: program)
            // The place of the sandbox, before the first byte of media is read. What is loaded later, for the formats
            // that few files have (libheif, libjxl) and for test mode (ZBar), then has to be loaded here.
            guard CLinuxShims_limit_address_space(memoryLimit) == 0 else { return 1 }
            var requestCount = 0
            while true {
                // What one large picture has needed would otherwise stay with the process for all that follow.
                requestCount += 1
                if requestCount % Self.requestsBetweenTrims == 0 { CLinuxShims_trim_memory() }
                let (bytes, attachment) = try socket.receive(within: Self.idleMilliseconds)
                try answer(try DecoderRequest(decoding: bytes), attachment, with: decoder)
            }
        } catch TransportError.closed, TransportError.timedOut {
            return 0
        } catch {
            return 1
        }
    }

    private func answer(
        _ request: DecoderRequest, _ attachment: OwnedDescriptor?, with decoder: ImageDecoder
    ) throws {
        do {
            switch request {
            case .hello:
                try socket.send(DecoderReply.hello(decoder.identity).encoded())
            case .decodeImage(let wishes):
                guard let attachment else { throw DecodingFailure(.unreadable) }
                let (image, memory) = try decoder.decode(attachment, wishes)
                try socket.send(DecoderReply.image(image).encoded(), with: memory.descriptor)
            case .findTestPatterns(let description):
                guard let attachment else { throw DecodingFailure(.unreadable) }
                let patterns = try testPatterns(in: attachment, description)
                try socket.send(DecoderReply.testPatterns(patterns).encoded())
            }
        } catch let failure as DecodingFailure {
            try socket.send(DecoderReply.failure(failure).encoded())
        }
    }

    private func testPatterns(
        in attachment: OwnedDescriptor, _ description: PixelDescription
    ) throws -> TestPatternSet {
        let memory = try SealedMemory(mapping: attachment)
        let image = try PixelImage(
            width: Int(description.width), height: Int(description.height), bytesPerRow: Int(description.bytesPerRow),
            storage: memory)
        return try unsafe memory.withBytes { pixels in
            try unsafe TestPatternScanner.patterns(
                in: pixels, width: image.width, height: image.height, bytesPerRow: image.bytesPerRow)
        }
    }

    private static let requestsBetweenTrims = 32

    /// In bytes: enough for the reduced pixels of a photograph, and little against the memory that libvips itself has.
    private static let largestReusedBlock = 4 << 20

    /// After so long without a request, a decoder is not worth its memory.
    private static let idleMilliseconds: Int32 = 10_000
}
