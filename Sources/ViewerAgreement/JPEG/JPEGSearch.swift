// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CPixelLoops

/// A search for pictures and a video after the first scan of a JPEG file.
struct JPEGSearch {
    /// The position of the last picture's start marker, and whether a frame header and a scan have followed it.
    private var candidate: (start: Int, hasFrame: Bool, hasScan: Bool)?
    /// Whether the first picture has ended, so that other content may follow.
    private var hasEnded = false
    private var video: Int?
    private var movieCount = 0
    private var hasEarlyVideo = false

    /// The number of bytes that are examined at a possible marker.
    static let lookahead = 32
    /// Returns the offsets of possible markers and of `ftyp` and `moov`, in order; wide registers make it fast.
    static func offsets(in bytes: [UInt8]) -> [Int] {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return [] }
            var offsets: [Int] = []
            var offset = 0
            while true {
                offset = unsafe CPixelLoops_next_media_place(base, offset, buffer.count)
                guard offset < buffer.count else { return offsets }
                offsets.append(offset)
                offset += 1
            }
        }
    }

    /// Notes the bytes at a position; positions must come in order.
    ///
    /// - Returns: the start of a picture, if a frame header and a scan have now confirmed it.
    /// - Throws: `ambiguousRendering`.
    mutating func note(_ bytes: ArraySlice<UInt8>, at position: Int) throws(DecodingFailure) -> Int? {
        guard bytes.first == 0xFF else {
            try noteVideo(Array(bytes.prefix(4)), at: position)
            return nil
        }
        guard bytes.count >= 2 else { return nil }
        switch bytes[bytes.startIndex + 1] {
        case 0xD9:
            hasEnded = true
            if candidate?.hasScan == true { candidate = nil }
        case 0xD8 where bytes.count >= 3 && bytes[bytes.startIndex + 2] == 0xFF:
            hasEnded = true
            candidate = (position, false, false)
        case 0xC0...0xCF:
            guard Self.isFrame(Array(bytes.prefix(10))) else { break }
            // Some programs show the second of two frames in one picture. After the end, some editors leave the rest of
            // a picture without its start; no program shows it.
            guard candidate.map({ !$0.hasScan }) ?? hasEnded else { throw DecodingFailure(.frameTwice, .jpeg) }
            candidate?.hasFrame = true
        case 0xDA:
            guard Self.isScan(Array(bytes.prefix(5))), let known = candidate, known.hasFrame, !known.hasScan else {
                break
            }
            candidate?.hasScan = true
            return known.start
        default: break
        }
        return nil
    }

    /// Returns the start of the video, if there is one.
    ///
    /// - Throws: `ambiguousRendering` if the video lies in a picture without an end.
    func finish() throws(DecodingFailure) -> Int? {
        guard hasEnded || !hasEarlyVideo else { throw DecodingFailure(.videoWithoutEndOfPicture, .jpeg) }
        return video
    }

    private mutating func noteVideo(_ word: [UInt8], at position: Int) throws(DecodingFailure) {
        let (isStart, isMovie) = (word.hasText("ftyp", at: 0), word.hasText("moov", at: 0))
        guard isStart || isMovie else { return }
        guard hasEnded else {
            hasEarlyVideo = true
            return
        }
        if isStart {
            guard video == nil else { throw DecodingFailure(.trailingVideoTwice, .jpeg) }
            video = position - 4
        } else {
            // A program that starts at another position would play another movie.
            movieCount += 1
            guard video != nil && movieCount == 1 else { throw DecodingFailure(.movieBesideTrailingVideo, .jpeg) }
        }
    }

    private static func isFrame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 10, ![0xC4, 0xC8, 0xCC].contains(bytes[1]), let length: UInt16 = bytes.bigEndian(at: 2)
        else { return false }
        return (2...16).contains(bytes[4]) && (1...4).contains(bytes[9]) && length == 8 + 3 * UInt16(bytes[9])
    }

    private static func isScan(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 5, let length: UInt16 = bytes.bigEndian(at: 2) else { return false }
        return (1...4).contains(bytes[4]) && length == 6 + 2 * UInt16(bytes[4])
    }
}
