// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// An encoded copy of judged pixels.
package struct JudgedCopy: Sendable {
    /// The stricter of two verdicts: on the pixels that were encoded, and on the file that was made of them.
    package let analysis: MediaAnalysis
    /// The content of the file; nil if the picture is sensitive and nothing is written of it.
    package let file: SealedMemory?
    /// The format of the file.
    package let format: CopyEncoding.Format
    /// Whether parts of the picture are missing, because the original is damaged or incomplete.
    package let isDamaged: Bool

    /// The treatment of a sensitive picture.
    package enum Treatment: Sendable, Hashable {
        /// No copy is written.
        case refusal
        /// The copy is written, because a person wants it.
        case picture
        /// A cover of coarse squares in the colours of the picture is written instead.
        case cover
    }
}
