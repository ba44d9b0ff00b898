// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import FileAccess
import Glibc
import HelperProtocol

/// The fault of a decoder of live streams, which the first word of the stream names.
enum LiveFault: String {
    /// One frame, and the end.
    case none
    /// One frame, and the end before that of the bytes.
    case early
    /// One frame, and after all bytes one more wait before the end.
    case slow
    /// Frames without end.
    case flood
    /// A frame of more pixels than are allowed.
    case size
    /// A frame that lies in a time that no stream reaches.
    case moment
    /// A reply to another request.
    case track
    /// Nothing, although bytes come.
    case stuck
    /// No reply.
    case silent
    case dies

    private nonisolated(unsafe) static var hasSeenEnd = false

    /// Reads the word from a pipe, up to a space.
    init?(_ pipe: OwnedDescriptor) {
        var word: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(pipe.number, &byte, 1) == 1, byte != UInt8(ascii: " ") { word.append(byte) }
        self.init(rawValue: String(decoding: word, as: UTF8.self))
    }

    /// Returns the reply to a request for a frame.
    ///
    /// - Parameter count: the number of earlier replies.
    func reply(after count: Int, reading pipe: OwnedDescriptor) -> HelperReply {
        var frame = StreamFrameReply(width: 64, height: 36, isFullRange: false, matrix: .bt601, moment: 0)
        switch self {
        case .none:
            guard count > 0 else { return .streamFrame(frame) }
            var byte: UInt8 = 0
            while unsafe read(pipe.number, &byte, 1) == 1 {}
            return .streamEnd
        case .slow:
            guard count > 0 else { return .streamFrame(frame) }
            var entry = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, 20) > 0 else { return .streamWaits }
            var bytes = [UInt8](repeating: 0, count: 4096)
            if unsafe read(pipe.number, &bytes, bytes.count) > 0 { return .streamWaits }
            defer { Self.hasSeenEnd = true }
            return Self.hasSeenEnd ? .streamEnd : .streamWaits
        case .early: return count == 0 ? .streamFrame(frame) : .streamEnd
        case .flood: return .streamFrame(frame)
        case .size:
            frame.width = 20_000
            return .streamFrame(frame)
        case .moment:
            frame.moment = .max - 1
            return .streamFrame(frame)
        case .track: return .closed
        case .stuck:
            usleep(20_000)
            return .streamWaits
        case .silent:
            sleep(1000)
            return .streamEnd
        case .dies: exit(3)
        }
    }
}
