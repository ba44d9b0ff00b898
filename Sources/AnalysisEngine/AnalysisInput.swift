// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperHost

/// What is to be analysed.
package enum AnalysisInput: Sendable {
    /// A file or encoded bytes, which a decoder process turns into pixels.
    case encoded(@Sendable () throws -> DecoderInput)
    /// Pixels of the app: copies those of one picture, on a thread that may be kept busy.
    case pixels(@Sendable () throws -> SealedPicture)
}
