// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// A copy of a film that has the encoded frames of the original in a container of its own.
package struct RemuxedCopy: Sendable {
    /// The verdict on all frames of the copy, as a file that other programs show.
    package let analysis: MediaAnalysis
    /// The content of the file; nil if the film is sensitive.
    package let file: SealedMemory?
}
