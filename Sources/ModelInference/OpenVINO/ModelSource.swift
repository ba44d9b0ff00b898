// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import FileAccess

/// The opened files from which a model is loaded, the expected hash, and memory for a newly compiled model.
package struct ModelSource: Sendable {
    package var libraryFolder: String
    package var model: OwnedDescriptor
    /// The SHA-256 of the model's file.
    package var modelDigest: [UInt8]
    /// The size of the model's file, in bytes.
    package var modelByteCount: Int
    /// A file with a compiled model, and the hash of the file states for which it was made; nil if there is none.
    package var compiledCopy: (file: OwnedDescriptor, state: [UInt8])?
    /// The memory to which a newly compiled model is written for later starts; nil if it is not to be kept.
    package var room: OwnedDescriptor?

    package init(
        libraryFolder: String, model: OwnedDescriptor, modelDigest: [UInt8], modelByteCount: Int,
        compiledCopy: (file: OwnedDescriptor, state: [UInt8])? = nil, room: OwnedDescriptor? = nil
    ) {
        self.libraryFolder = libraryFolder
        self.model = model
        self.modelDigest = modelDigest
        self.modelByteCount = modelByteCount
        self.compiledCopy = compiledCopy
        self.room = room
    }
}
