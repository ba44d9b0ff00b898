// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg
internal import CFFmpegShims

/// Up to eight bytes that FFmpeg reads at a position of a file instead of those that are there.
struct FilePatch: Equatable {
    var position: Int
    var bytes: [UInt8]

    /// Gives a box of an MP4 file another name, by which it is passed over.
    static func hidingBox(namedAt position: Int) -> FilePatch {
        FilePatch(position: position, bytes: Array("free".utf8))
    }

    /// The patch in the form that C takes.
    var raw: CFFmpegShims_Patch {
        var patch = CFFmpegShims_Patch()
        patch.position = Int64(position)
        patch.count = Int32(min(bytes.count, MemoryLayout.size(ofValue: patch.bytes)))
        let kept = bytes.prefix(Int(patch.count))
        unsafe withUnsafeMutableBytes(of: &patch.bytes) { unsafe $0.copyBytes(from: kept) }
        return patch
    }
}
