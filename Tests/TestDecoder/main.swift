// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import FileAccess
import Glibc
import HelperProtocol
import HelperService

// A decoder for tests, of a made-up kind of media whose bytes are instructions. It has the sandbox of the real
// decoders, and acts like a decoder that hostile media have taken over.

HelperProgram.run(largestFile: PictureMemory.largestByteCount) {
} serving: { _, socket, report in
    do {
        var puppet: Puppet?
        var film: (film: Film, frames: Int)?
        var picture: PictureFault?
        var frameNumber: UInt64 = 0
        var stream: (pipe: OwnedDescriptor, fault: LiveFault, replies: Int)?
        while true {
            let (bytes, attachment) = try socket.receive(within: 10_000)
            let serial = try MessageHeader(of: bytes).serial
            let request = try DecoderRequest(decoding: bytes)
            switch request {
            case .hello:
                guard let attachment else { return 2 }
                puppet = Puppet(socket: socket, memory: try MappedPixelMemory(attachment, isForAnswers: true))
                let version = CommandLine.arguments[0].hasSuffix("-old") ? "144.0.0" : PackageVersion.current
                let identity = HelperIdentity(packageVersion: version, library: "test", sandbox: report)
                try socket.send(HelperReply.hello(identity).encoded(answering: serial))
            case .open, .openTrack, .nextFrame, .frameShown, .closeMedia:
                if case .open = request {
                    film = attachment.map(Puppet.words)?.first.flatMap(Film.init).map { ($0, 0) }
                    guard film != nil else {
                        try puppet?.obey(attachment, serial)
                        continue
                    }
                }
                if request == .closeMedia, film == nil {
                    picture = nil
                    try socket.send(HelperReply.closed.encoded(answering: serial))
                    continue
                }
                guard let current = film else { return 3 }
                let answer = current.film.answer(request, frame: current.frames)
                if case .frame = answer { film?.frames += 1 }
                try socket.send(answer.encoded(answering: serial))
            case .openStream:
                guard let pipe = attachment, let fault = LiveFault(pipe) else { return 5 }
                stream = (pipe, fault, 0)
                try socket.send(HelperReply.streamOpened.encoded(answering: serial))
            case .nextStreamFrame:
                guard let current = stream else { return 6 }
                stream?.replies += 1
                try socket.send(
                    current.fault.reply(after: current.replies, reading: current.pipe).encoded(answering: serial))
            case .openWholePicture(let request):
                guard let fault = attachment.flatMap(PictureFault.init) else { return 7 }
                picture = fault
                try socket.send(fault.size(request).encoded(answering: serial))
            case .openWholeFrames:
                guard let fault = attachment.flatMap(PictureFault.init) else { return 7 }
                (picture, frameNumber) = (fault, 0)
                let frames = WholeFramesReply(format: .gif, isTimed: true, duration: 0, loopCount: 0)
                try socket.send(HelperReply.wholeFrames(frames).encoded(answering: serial))
            case .nextWholeFrame:
                guard let reply = picture?.frame(frameNumber) else { return 9 }
                frameNumber += 1
                try socket.send(reply.encoded(answering: serial))
            case .writeWholePicture:
                guard let reply = try picture?.reply(attachment) else { return 8 }
                try socket.send(reply.encoded(answering: serial))
            case .remux:
                guard let fault = attachment.flatMap(PictureFault.init) else { return 7 }
                picture = fault
                try socket.send(HelperReply.fileReady(byteCount: fault.filmByteCount).encoded(answering: serial))
            case .writeRemuxed:
                guard let reply = try picture?.reply(attachment) else { return 8 }
                let ofFilm: HelperReply =
                    switch reply {
                    case .wholePictureWritten: .closed
                    case .closed: .streamEnd
                    default: reply
                    }
                try socket.send(ofFilm.encoded(answering: serial))
            case .findTestPatterns: try socket.send(HelperReply.testPatterns([]).encoded(answering: serial))
            }
        }
    } catch {
        return error is TransportError ? 0 : 1
    }
}
