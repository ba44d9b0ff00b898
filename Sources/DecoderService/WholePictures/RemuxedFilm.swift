// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// A copy of a film without encoding, which is ready to be written.
package protocol RemuxedFilm: AnyObject {
    /// The size of the copy in bytes, at least 1.
    var byteCount: Int { get }

    /// Writes the copy.
    ///
    /// - Throws: `internalError` if the file has changed, so that the copy has another size.
    func write(to memory: WritablePictureMemory) throws(DecodingFailure)
}
