// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CFFmpegShims
internal import ViewerAgreement

extension FilePatch {
    /// The patch as a C structure.
    var raw: CFFmpegShims_Patch {
        var patch = CFFmpegShims_Patch()
        patch.position = Int64(position)
        patch.count = Int32(min(bytes.count, MemoryLayout.size(ofValue: patch.bytes)))
        let kept = bytes.prefix(Int(patch.count))
        unsafe withUnsafeMutableBytes(of: &patch.bytes) { unsafe $0.copyBytes(from: kept) }
        return patch
    }
}
