// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import FileAccess
internal import Glibc
package import HelperProtocol

/// A media file or media in memory, whose descriptor the host passes to a decoder without reading the content.
package enum DecoderInput: Sendable {
    /// A local file.
    case file(path: String)
    /// An open local file, which stays open.
    case open(OwnedDescriptor)
    /// The encoded bytes themselves, in sealed memory.
    case memory(SealedMemory)

    /// Opens the input for a decoder.
    ///
    /// - Throws: `inputUnreadable`, or `invalidArgument` for a folder.
    package func open() throws(AnalysisFailure) -> OwnedDescriptor {
        switch self {
        case .memory(let memory): return memory.descriptor
        case .open(let descriptor):
            // A decoder may write, to the memory for a picture, and must not be able to change the file.
            guard fcntl(descriptor.number, F_GETFL) & O_ACCMODE == O_RDONLY else {
                throw AnalysisFailure(
                    .inputUnreadable, "The open file could also be written to. Open it for reading alone.")
            }
            return descriptor
        case .file(let path): return try OwnedDescriptor.openRegularFile(at: path)
        }
    }
}
