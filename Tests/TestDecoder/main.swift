// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import DecoderProtocol
import DecoderService
import Glibc

// A decoder for tests of a made-up kind of media, whose bytes are instructions. It is closed as the real ones are, and
// stands in for one that hostile media has taken over.

DecoderProgram.run {
} serving: { _, socket, report in
    do {
        var puppet: Puppet?
        while true {
            let (bytes, attachment) = try socket.receive(within: 10_000)
            let serial = try MessageHeader(of: bytes).serial
            switch try DecoderRequest(decoding: bytes) {
            case .hello:
                guard let attachment else { return 2 }
                puppet = Puppet(socket: socket, memory: try PixelMemory(ofHost: attachment))
                let version = CommandLine.arguments[0].hasSuffix("-old") ? "144.0.0" : PackageVersion.current
                let identity = DecoderIdentity(packageVersion: version, library: "test", sandbox: report)
                try socket.send(DecoderReply.hello(identity).encoded(answering: serial))
            case .decodeImage: try puppet?.obey(attachment, serial)
            case .openMedia, .openTrack, .nextFrame, .frameShown, .closeMedia: try socket.send([1, 2, 3])
            case .findTestPatterns: try socket.send(DecoderReply.testPatterns([]).encoded(answering: serial))
            }
        }
    } catch {
        return error is TransportError ? 0 : 1
    }
}
