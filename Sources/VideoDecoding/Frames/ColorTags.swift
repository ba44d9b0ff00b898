// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg
internal import CFFmpegShims

/// What a frame or a container says of the meaning of its levels, by which some programs change colours before they are
/// shown and others do not.
struct ColorTags: Hashable {
    /// The curve between levels and light, and the matrix between levels and colours, by their numbers in ITU-T H.273.
    let transfer: UInt32
    let matrix: UInt32

    init(transfer: AVColorTransferCharacteristic, matrix: AVColorSpace) {
        self.transfer = transfer.rawValue
        self.matrix = matrix.rawValue
    }

    /// Whether programs show something that cannot be made here: light in linear or logarithmic levels, of which faint
    /// differences in the darks become plain, or levels of a matrix that FFmpeg does not know.
    var isDoubtful: Bool { Self.doubtfulTransfers.contains(transfer) || Self.doubtfulMatrices.contains(matrix) }

    /// What programs that know the curve show for each level, where that makes differences more than twice as large.
    var shownLevels: [UInt8]? {
        switch transfer {
        case AVCOL_TRC_SMPTE2084.rawValue: Self.perceptual
        case AVCOL_TRC_SMPTE240M.rawValue: Self.early
        default: nil
        }
    }

    private static let doubtfulTransfers: Set<UInt32> = Set(
        [AVCOL_TRC_LINEAR, AVCOL_TRC_LOG, AVCOL_TRC_LOG_SQRT].map(\.rawValue))

    private static let doubtfulMatrices: Set<UInt32> = Set(
        [
            AVCOL_SPC_YCGCO, AVCOL_SPC_BT2020_CL, AVCOL_SPC_SMPTE2085, AVCOL_SPC_CHROMA_DERIVED_NCL,
            AVCOL_SPC_CHROMA_DERIVED_CL, AVCOL_SPC_ICTCP,
        ].map(\.rawValue))

    /// What Chromium shows of every eighth level of a grey scale with the curve PQ, with its tone mapping.
    ///
    /// Measured with Chromium 156 on a display of standard dynamic range; docs/threat-model.md says how.
    private static let perceptual = interpolated([
        0, 0, 1, 2, 5, 9, 15, 22, 30, 38, 48, 58, 70, 83, 98, 114, 132, 153, 175, 198, 213, 226, 237, 246, 255, 255,
        255,
        255, 255, 255, 255, 255, 255,
    ])

    /// The same with the curve of SMPTE 240M.
    private static let early = interpolated([
        0, 22, 34, 42, 50, 58, 66, 74, 81, 89, 97, 104, 112, 119, 126, 134, 141, 148, 156, 163, 170, 178, 185, 192, 199,
        206, 213, 221, 228, 235, 242, 249, 256,
    ])

    private static func interpolated(_ known: [Int]) -> [UInt8] {
        (0..<256).map { level in
            let (index, rest) = (level / 8, level % 8)
            return UInt8(clamping: (known[index] * (8 - rest) + known[index + 1] * rest + 4) / 8)
        }
    }
}
