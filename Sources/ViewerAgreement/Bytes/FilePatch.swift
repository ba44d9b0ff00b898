// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A replacement of up to eight bytes that FFmpeg reads at a position of a file.
package struct FilePatch: Equatable {
    package var position: Int
    package var bytes: [UInt8]

    package init(position: Int, bytes: [UInt8]) {
        (self.position, self.bytes) = (position, bytes)
    }

    /// Returns a patch that gives a box of an MP4 file another name, so FFmpeg passes over the box.
    package static func hidingBox(namedAt position: Int) -> FilePatch {
        FilePatch(position: position, bytes: Array("free".utf8))
    }

    /// Returns a patch that gives a sample description the name of HEVC, so FFmpeg decodes the disparity of a movie.
    package static func formatOfHEVC(namedAt position: Int) -> FilePatch {
        FilePatch(position: position, bytes: Array("hvc1".utf8))
    }

    /// Returns a patch that gives an AVIF file the brand of a sequence, so FFmpeg reads the movie of the file.
    ///
    /// Under the brand of a still picture, FFmpeg 5.1 reads the picture alone and leaves out the movie.
    package static func brandOfSequence(at position: Int) -> FilePatch {
        FilePatch(position: position, bytes: Array("avis".utf8))
    }
}
