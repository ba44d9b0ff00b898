// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Glibc
import HelperProtocol

/// A made-up video, with the replies of a hostile decoder about it.
enum Film: String {
    case film
    case backwards, endless, never
    case late = "late-frame"
    case manyTracks = "many-tracks"
    case wrongPixels = "wrong-pixels"
    case unaskedPattern = "unasked-pattern"
    case manyDecoded = "many-decoded"
    case repetitionFirst = "repetition-first"
    case nothingToShow = "nothing-to-show"
    case crashLater = "crash-later"
    case hangLater = "hang-later"

    /// Returns the reply to a request about the film; each request for a frame gets the next one.
    func answer(_ request: DecoderRequest, frame number: Int) -> HelperReply {
        switch request {
        case .open:
            switch self {
            case .manyTracks: .media(MediaReply(format: .video, trackCount: 1000))
            case .nothingToShow: .media(MediaReply(format: .video, trackCount: 0, sequence: .wholeFile))
            default: .media(MediaReply(format: .video, trackCount: 1))
            }
        case .openTrack: .track(TrackReply(isTimed: true, isComplete: true, duration: 1_000_000))
        case .closeMedia: .closed
        default: next(number)
        }
    }

    private func next(_ number: Int) -> HelperReply {
        switch (self, number) {
        case (.backwards, 0): return .frame(frame(TimeSpan(start: 9, end: 8)))
        case (.late, 0): return .frame(frame(TimeSpan(start: 1 << 40, end: 1 << 41)))
        case (.never, 0): return .frame(frame(TimeSpan(start: 0, end: .max)))
        case (.wrongPixels, 0): return .frame(frame(TimeSpan(start: 0, end: 1), width: 5))
        case (.unaskedPattern, 0): return .frame(frame(TimeSpan(start: 0, end: 1), patterns: [.sexuallyExplicit]))
        case (.repetitionFirst, 0): return .repetition(TimeSpan(start: 0, end: 1))
        case (.manyDecoded, 1):
            return .trackEnd(TrackEnd(duration: 1_000_000, decodedFrameCount: .max, longestUnseen: 0))
        case (.crashLater, 1):
            raise(SIGSEGV)
            return .closed
        case (.hangLater, 1): while true { sleep(100) }
        case (.endless, _), (_, 0):
            return .frame(frame(TimeSpan(start: UInt64(number) * 10, end: UInt64(number) * 10 + 10)))
        default: return .trackEnd(TrackEnd(duration: 1_000_000, decodedFrameCount: 1, longestUnseen: 0))
        }
    }

    private func frame(_ shown: TimeSpan, width: UInt32 = 4, patterns: Set<ContentType> = []) -> FrameReply {
        FrameReply(
            image: ImageReply(
                format: .video, originalWidth: 4, originalHeight: 4,
                pixels: PixelDescription(width: width, height: 4, bytesPerRow: width * 3), viewCount: 1,
                testPatterns: patterns), shown: shown)
    }
}
