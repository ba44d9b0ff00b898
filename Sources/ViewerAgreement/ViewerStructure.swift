// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The structure of a picture format, in which programs may disagree.
///
/// Reading it throws at the first disagreement that no further rendering resolves.
package protocol ViewerStructure {
    /// - Throws: an error in the structure of the file, or a disagreement.
    init(_ file: InputFile) throws(DecodingFailure)
}

extension ViewerStructure {
    /// Returns the disagreements about a file that make it unknown for another viewer.
    ///
    /// - Throws: an error in the structure of the file.
    package static func findings(in file: InputFile) throws(DecodingFailure) -> [Disagreement] {
        do throws(DecodingFailure) {
            _ = try Self(file)
            return []
        } catch {
            guard let disagreement = error.disagreement else { throw error }
            return [disagreement]
        }
    }
}
