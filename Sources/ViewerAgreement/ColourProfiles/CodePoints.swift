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

    /// - Returns: nil if the bytes end before.
    init?(_ bytes: [UInt8], at offset: Int) {
        guard offset >= 0, offset + 3 < bytes.count else { return nil }
        self.init(primaries: Int(bytes[offset]), transfer: Int(bytes[offset + 1]), matrix: Int(bytes[offset + 2]))
    }

    /// Whether the transfer function is the curve of sRGB or a television curve, which browsers read as sRGB.
    ///
    /// Other values mean a high dynamic range, a logarithm, a plain gamma, or are unknown.
    package var hasCurveOfSRGB: Bool { [1, 2, 6, 13, 14, 15].contains(transfer) }
}
