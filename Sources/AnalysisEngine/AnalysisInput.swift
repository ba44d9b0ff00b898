// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import DecoderHost

/// What is to be analysed.
package enum AnalysisInput: Sendable {
    /// A file or encoded bytes, which a decoder process turns into pixels.
    case encoded(DecoderInput)
    /// Pixels of the app: the views of one picture.
    case pixels([PixelImage])
}
