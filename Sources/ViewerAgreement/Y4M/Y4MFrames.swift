// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The places of the frames in a Y4M stream, which all readers find in the same way if none has parameters of its own.
package struct Y4MFrames {
    /// The end of the latest frame in the stream, in bytes.
    private var end: Int
    private var hasFrames = false

    /// - Parameter header: the first bytes of the stream, up to the end of its first line at least.
    /// - Throws: `malformed`, or the disagreement of readers about the header.
    package init(header: [UInt8]) throws(DecodingFailure) {
        guard let length = header.prefix(Y4MHeader.mostBytes).firstIndex(of: UInt8(ascii: "\n")) else {
            throw DecodingFailure(
                .malformed, detail: "a Y4M header that does not end within \(Y4MHeader.mostBytes) bytes")
        }
        try Y4MHeader.check(String(decoding: header[..<length], as: UTF8.self))
        end = length + 1
    }

    /// Notes the samples of the next frame by their position in the stream.
    ///
    /// - Throws: a disagreement, if something else than the marker of a frame stands before them.
    package mutating func add(position: Int, byteCount: Int) throws(DecodingFailure) {
        guard position == end + Self.marker.utf8.count else { throw DecodingFailure(.y4mFrameWithParameters) }
        end = position + byteCount
        hasFrames = true
    }

    /// Checks that a stream of so many bytes has ended with a whole frame.
    package func checkEnd(_ byteCount: Int) throws(DecodingFailure) {
        guard byteCount == end else {
            throw DecodingFailure(.malformed, detail: "it does not end with a whole frame")
        }
        guard hasFrames else { throw DecodingFailure(.malformed, detail: "a Y4M header and no frame") }
    }

    private static let marker = "FRAME\n"
}
