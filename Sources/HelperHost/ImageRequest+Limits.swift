// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol

extension ImageRequest {
    /// - Parameter maximumByteCount: the largest file, in bytes; that of the limits for pictures unless given.
    init(
        minimumWidth: Int, minimumHeight: Int, findsTestPatterns: Bool, limits: AnalysisLimits,
        maximumByteCount: Int? = nil
    ) {
        self.init(
            minimumWidth: UInt32(clamping: minimumWidth), minimumHeight: UInt32(clamping: minimumHeight),
            maximumByteCount: UInt64(maximumByteCount ?? limits.maximumByteCount),
            maximumEdge: UInt32(limits.maximumEdge),
            maximumStreamedPixelCount: UInt64(limits.maximumStreamedPixelCount),
            maximumPixelCount: UInt64(limits.maximumPixelCount),
            maximumTime: UInt32(clamping: limits.maximumDecodingTime.microseconds / 1000),
            findsTestPatterns: findsTestPatterns)
    }
}
