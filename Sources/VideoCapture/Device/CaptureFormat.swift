// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The format of the frames of a device.
package struct CaptureFormat: Sendable, Equatable {
    package var width: Int
    package var height: Int
    /// The code of four letters.
    package var code: UInt32
    package var bytesPerRow: Int
    package var isProgressive: Bool
    package var isFullRange: Bool
    /// The factors of the colours; nil if the driver states none that is known.
    package var matrix: VideoPixels.ColorMatrix?

    package init(
        width: Int, height: Int, code: UInt32, bytesPerRow: Int = 0, isProgressive: Bool = true,
        isFullRange: Bool = false, matrix: VideoPixels.ColorMatrix? = nil
    ) {
        self.width = width
        self.height = height
        self.code = code
        self.bytesPerRow = bytesPerRow
        self.isProgressive = isProgressive
        self.isFullRange = isFullRange
        self.matrix = matrix
    }
}
