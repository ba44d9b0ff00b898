// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import FileAccess
import Glibc
import HelperProtocol

/// Obeys the words in a file: the name of an instruction, and its argument.
struct Puppet {
    let socket: MessageSocket
    let memory: MappedPixelMemory

    func obey(_ file: OwnedDescriptor?, _ serial: UInt64) throws {
        let words = file.map(Self.words) ?? []
        let word = words.first ?? ""
        let argument = words.dropFirst().first ?? ""
        if let lie = Lie(rawValue: word) { return try tell(lie, serial) }
        if let effect = Effect(rawValue: word) {
            // If the system call is refused and the process continues, the reply contains the number of the error.
            let error = effect.attempt(argument)
            return try error == 0 ? answerPicture(serial) : fail(.malformed, serial, "error \(error)")
        }
        switch word {
        case "picture": try answerPicture(serial)
        case "damaged": try answerPicture(serial, isDamaged: true)
        case "crash": raise(SIGSEGV)
        case "abort": abort()
        case "kill": raise(SIGKILL)
        case "exit": exit(0)
        case "stop":
            raise(SIGSTOP)
            while true { sleep(100) }
        case "crash-unless":
            // The decoder crashes the first time only, because the created file tells the next decoder to answer.
            if unsafe open(argument, O_CREAT | O_EXCL | O_WRONLY, 0o600) >= 0 { raise(SIGKILL) }
            try answerPicture(serial)
        case "report-process":
            let file = unsafe open(argument, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
            let text = Array("\(getpid())".utf8)
            _ = unsafe write(file, text, text.count)
            close(file)
            while true { sleep(100) }
        case "hang": while true { sleep(100) }
        case "spin": while true {}
        case "close":
            close(3)
            while true { sleep(100) }
        case "late":
            // The pause is longer than the time limit of any test.
            sleep(3)
            try answerPicture(serial)
        case "wait-for-processor":
            // As on a busy machine: the decoder works for a twentieth of the time, and has its answer after 1.5 s.
            for _ in 0..<15 {
                usleep(95_000)
                let start = clock()
                while clock() - start < CLOCKS_PER_SEC / 200 {}
            }
            try answerPicture(serial)
        case "twice":
            try answerPicture(serial)
            try answerPicture(serial)
        case "flood": while true { try answerPicture(serial) }
        case "allocate":
            // The blocks stay allocated, so that `malloc` returns no block twice.
            var blocks: [UnsafeMutableRawPointer] = []
            while let block = unsafe malloc(16 << 20) { unsafe blocks.append(block) }
            for block in unsafe blocks { unsafe free(block) }
            try fail(.outOfMemory, serial)
        case "content":
            let contents: [String: MediaContent] = ["pictures": .pictures, "video": .video]
            try answer(contents[argument] ?? .unknownFormat, serial)
        default: try answer(.unknownFormat, serial)
        }
    }

    func fail(_ reason: DecodingFailure.Reason, _ serial: UInt64, _ detail: String = "") throws {
        try socket.send(HelperReply.failure(DecodingFailure(reason, detail: detail)).encoded(answering: serial))
    }

    func answer(_ content: MediaContent, _ serial: UInt64) throws {
        try socket.send(HelperReply.content(content).encoded(answering: serial))
    }

    func answerPicture(
        _ serial: UInt64, _ shape: Shape = Shape(), isDamaged: Bool = false, with attachment: OwnedDescriptor? = nil
    ) throws {
        _ = memory.write([Array(repeating: 128, count: 48)])
        let image = ImageReply(
            format: .jpeg, originalWidth: shape.original, originalHeight: shape.original,
            pixels: PixelDescription(width: shape.width, height: shape.height, bytesPerRow: shape.bytesPerRow),
            viewCount: shape.viewCount, testPatterns: [], isDamaged: isDamaged)
        try socket.send(HelperReply.image(image).encoded(answering: serial), with: attachment)
    }

    /// The claims of a reply about the pixels; the default values are true for the picture of 4 × 4 pixels.
    struct Shape {
        var width: UInt32 = 4
        var height: UInt32 = 4
        var bytesPerRow: UInt32 = 12
        var viewCount: UInt8 = 1
        var original: UInt32 = 4
    }

    static func words(of file: OwnedDescriptor) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file.number, $0.baseAddress, $0.count, 0) }
        // The second word, the path of a temporary folder, may contain spaces.
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .split(separator: " ", maxSplits: 1).map(String.init)
    }
}
