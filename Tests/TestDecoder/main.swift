// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLinuxShims
internal import DecoderProtocol
internal import Glibc

// A decoder for tests whose media are instructions. It stands in for a decoder that hostile media has taken over.

let socket = MessageSocket(OwnedDescriptor(3))
_ = CLinuxShims_exit_when_peer_closes(socket.number)

/// The words of the file: what to do, and a number or a path.
func instructions(in file: OwnedDescriptor) -> [String] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file.number, $0.baseAddress, $0.count, 0) }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ").map(String.init)
}

func image(
    width: UInt32 = 4, height: UInt32 = 4, bytesPerRow: UInt32 = 12, viewCount: UInt8 = 1, original: UInt32 = 4
) -> [UInt8] {
    DecoderReply.image(
        ImageReply(
            format: .jpeg, originalWidth: original, originalHeight: original,
            pixels: PixelDescription(width: width, height: height, bytesPerRow: bytesPerRow), viewCount: viewCount,
            testPatterns: [])
    ).encoded()
}

func memory(_ byteCount: Int = 48) throws -> OwnedDescriptor {
    try unsafe SealedMemory.filled(byteCount: byteCount) { unsafe $0.initializeMemory(as: UInt8.self, repeating: 128) }
        .descriptor
}

func obey(_ words: [String]) throws {
    switch words.first {
    case "picture": try socket.send(image(), with: memory())
    case "crash": raise(SIGSEGV)
    case "crash-unless":
        // Crashes the first time only: the file that it makes tells the next decoder.
        let isFirst = unsafe open(words[1], O_CREAT | O_EXCL | O_WRONLY, 0o600) >= 0
        if isFirst { raise(SIGKILL) }
        try socket.send(image(), with: memory())
    case "exit": exit(0)
    case "hang": while true { sleep(100) }
    case "spin": while true {}
    case "report-process":
        _ = unsafe words[1].withCString { path in
            let file = unsafe open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
            let text = "\(getpid())"
            _ = unsafe text.withCString { unsafe write(file, $0, strlen($0)) }
            close(file)
        }
        while true { sleep(100) }
    case "garbage": try socket.send([1, 2, 3])
    case "other-kind": try socket.send(DecoderReply.testPatterns([]).encoded())
    case "no-memory": try socket.send(image())
    case "unsealed":
        let number = unsafe CLinuxShims_memory_create("unsealed")
        ftruncate(number, 48)
        try socket.send(image(), with: OwnedDescriptor(number))
    case "short-memory": try socket.send(image(), with: memory(47))
    case "long-memory": try socket.send(image(), with: memory(49))
    case "zero-width": try socket.send(image(width: 0), with: memory())
    case "wide": try socket.send(image(width: 5, bytesPerRow: 15), with: memory(60))
    case "huge": try socket.send(image(width: .max, height: .max, bytesPerRow: .max, original: .max), with: memory())
    case "narrow-rows": try socket.send(image(bytesPerRow: 3), with: memory())
    case "no-views": try socket.send(image(viewCount: 0), with: memory())
    case "many-views": try socket.send(image(viewCount: 200), with: memory())
    case "over-reduced": try socket.send(image(original: 4000), with: memory())
    default: try socket.send(DecoderReply.failure(DecodingFailure(.unknownFormat)).encoded())
    }
}

do {
    while true {
        let (bytes, file) = try socket.receive(within: 10_000)
        switch try DecoderRequest(decoding: bytes) {
        case .hello:

            let identity = DecoderIdentity(
                packageVersion: CommandLine.arguments[0].hasSuffix("-old") ? "144.0.0" : PackageVersion.current,
                library: "test")
            try socket.send(DecoderReply.hello(identity).encoded())
        case .decodeImage: try obey(file.map(instructions) ?? [])
        case .openMedia, .openTrack, .nextFrame, .frameShown, .closeMedia: try obey(["garbage"])
        case .findTestPatterns: try socket.send(DecoderReply.testPatterns([]).encoded())
        }
    }
} catch {
    exit(error is TransportError ? 0 : 1)
}
