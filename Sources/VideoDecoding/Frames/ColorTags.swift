// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg
internal import CFFmpegShims

/// The tags that tell how the levels of a frame become colours; only some programs obey them.
struct ColorTags: Hashable {
    /// The number of the curve between levels and light in ITU-T H.273.
    let transfer: UInt32
    /// The number of the matrix between levels and colours in ITU-T H.273.
    let matrix: UInt32

    init(transfer: AVColorTransferCharacteristic, matrix: AVColorSpace) {
        self.transfer = transfer.rawValue
        self.matrix = matrix.rawValue
    }

    /// Whether programs show colours that cannot be made here.
    var hasDisagreement: Bool { Self.disputedTransfers.contains(transfer) || Self.disputedMatrices.contains(matrix) }

    /// For each of 256 levels, the level that programs with this curve show; nil if the curve is weak or doubtful.
    var shownLevels: [UInt8]? {
        switch transfer {
        case AVCOL_TRC_SMPTE2084.rawValue: Self.perceptual
        case AVCOL_TRC_SMPTE240M.rawValue: Self.early
        default: nil
        }
    }

    /// Curves of linear and logarithmic levels, which make faint differences in dark parts plain.
    private static let disputedTransfers: Set<UInt32> = Set(
        [AVCOL_TRC_LINEAR, AVCOL_TRC_LOG, AVCOL_TRC_LOG_SQRT].map(\.rawValue))

    /// Matrices that FFmpeg does not support.
    private static let disputedMatrices: Set<UInt32> = Set(
        [
            AVCOL_SPC_YCGCO, AVCOL_SPC_BT2020_CL, AVCOL_SPC_SMPTE2085, AVCOL_SPC_CHROMA_DERIVED_NCL,
            AVCOL_SPC_CHROMA_DERIVED_CL, AVCOL_SPC_ICTCP,
        ].map(\.rawValue))

    /// The grey levels that Chromium shows for every eighth level with the curve PQ and its tone mapping.
    ///
    /// Measured with Chromium 156 on a display of standard dynamic range, as described in docs/video-colours.md.
    private static let perceptual = interpolated([
        0, 0, 1, 2, 5, 9, 15, 22, 30, 38, 48, 58, 70, 83, 98, 114, 132, 153, 175, 198, 213, 226, 237, 246, 255, 255,
        255,
        255, 255, 255, 255, 255, 255,
    ])

    /// The grey levels that Chromium shows for every eighth level with the curve of SMPTE 240M, measured likewise.
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
