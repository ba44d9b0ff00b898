// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The header of a Y4M stream, checked for words that readers take in different ways.
///
/// Only words that every reader takes in the same way are read, each once: FFmpeg goes on reading within a word that it
/// does not know, and would find another size there.
///
/// Source: yuv4mpeg(5) of MJPEG Tools.
package enum Y4MHeader {
    /// The longest header, in bytes.
    package static let mostBytes = 1024
    package static let signature = "YUV4MPEG2"

    /// Checks a header without its line break.
    ///
    /// - Throws: the disagreement of readers about it, or `malformed`.
    package static func check(_ line: String) throws(DecodingFailure) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        var kinds: Set<Substring> = []
        for word in words.dropFirst() {
            let kind = word.first == "X" ? word.prefix { $0 != "=" } : word.prefix(1)
            guard kinds.insert(kind).inserted else { throw unknown(word) }
            try check(word, kind)
        }
        guard words.first == signature[...], kinds.isSuperset(of: ["W", "H"]) else {
            throw DecodingFailure(.malformed, detail: "a Y4M header without the width (W) or the height (H)")
        }
    }

    private static func check(_ word: Substring, _ kind: Substring) throws(DecodingFailure) {
        let value = word.dropFirst()
        switch kind {
        case "W", "H":
            let length = try number(value, in: word)
            guard length > 0 else { throw DecodingFailure(.malformed, detail: "a Y4M frame without pixels") }
            guard length <= VideoPixels.maximumEdge else {
                throw DecodingFailure(
                    .edgeTooLong, value: UInt64(length), bound: UInt64(VideoPixels.maximumEdge))
            }
        case "F":
            let (frames, seconds) = try ratio(value, in: word)
            guard frames == 0 || seconds == 0 || FrameRate(frames: frames, seconds: seconds) != nil else {
                throw unknown(word)
            }
        case "I":
            if ["t", "b", "m"].contains(value) { throw DecodingFailure(.interlacedFrame) }
            guard ["p", "?"].contains(value) else { throw unknown(word) }
        case "A":
            let (width, height) = try ratio(value, in: word)
            // 0:0 is an unknown shape.
            guard (width, height) == (0, 0) || (0.5...2).contains(Double(width) / Double(height)) else {
                throw DecodingFailure(.stretchedPixels)
            }
        case "C":
            guard ["420", "420jpeg", "420mpeg2", "420paldv"].contains(value) else {
                throw DecodingFailure(.unusualY4MColours)
            }
        default: guard flags.contains(word) else { throw unknown(word) }
        }
    }

    private static let flags: Set<Substring> = [
        "XYSCSS=420JPEG", "XYSCSS=420MPEG2", "XYSCSS=420PALDV", "XYSCSS=420", "XCOLORRANGE=FULL", "XCOLORRANGE=LIMITED",
    ]

    /// Reads digits alone: other readers take signs and spaces in different ways.
    private static func number(_ text: Substring, in word: Substring) throws(DecodingFailure) -> Int {
        guard 1...9 ~= text.utf8.count, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = Int(text)
        else { throw unknown(word) }
        return number
    }

    private static func ratio(_ text: Substring, in word: Substring) throws(DecodingFailure) -> (Int, Int) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw unknown(word) }
        return (try number(parts[0], in: word), try number(parts[1], in: word))
    }

    private static func unknown(_ word: Substring) -> DecodingFailure {
        DecodingFailure(.unknownY4MWord(String(word.prefix(20))))
    }
}
