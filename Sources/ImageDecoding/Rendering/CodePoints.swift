// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The numbers of primaries, of the transfer function and of the matrix.
///
/// Source: Rec. ITU-T H.273, tables 2 to 4.
struct CodePoints: Hashable {
    let primaries: Int
    let transfer: Int
    let matrix: Int

    /// Whether the transfer function is the curve of sRGB, or one of television, which browsers take for it.
    ///
    /// The others are for a high dynamic range, logarithmic, a plain gamma, or unknown.
    var hasCurveOfSRGB: Bool { [1, 2, 6, 13, 14, 15].contains(transfer) }
}
