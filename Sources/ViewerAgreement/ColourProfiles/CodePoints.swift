// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The numbers (code points) by which a file names its primaries, its transfer function and its matrix.
///
/// Source: Rec. ITU-T H.273, tables 2 to 4.
package struct CodePoints: Hashable {
    package let primaries: Int
    package let transfer: Int
    package let matrix: Int

    package init(primaries: Int, transfer: Int, matrix: Int) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
    }

    /// Whether the transfer function is the curve of sRGB or a television curve, which browsers read as sRGB.
    ///
    /// Other values mean a high dynamic range, a logarithm, a plain gamma, or are unknown.
    package var hasCurveOfSRGB: Bool { [1, 2, 6, 13, 14, 15].contains(transfer) }
}
