// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import FileAccess
package import HelperProtocol

/// The setup and the opened files for the model's process, and the closure that keeps a model that it compiles.
package struct ModelParts: Sendable {
    package var setup: ModelSetup
    package var model: OwnedDescriptor
    package var compiledCopy: CompiledCopy?
    /// Keeps a newly compiled form of the model for later starts; nil if no new form is to be kept.
    ///
    /// The arguments are the memory that holds the compiled form, and the form's length in bytes.
    package var keep: (@Sendable (OwnedDescriptor, Int) -> Void)?

    /// A file with the compiled form of the model, which an earlier start has kept.
    package struct CompiledCopy: Sendable {
        package var file: OwnedDescriptor
        /// The hash of the model's and OpenVINO's file states at the compilation; the copy ends with it and a digest.
        package var state: [UInt8]

        package init(file: OwnedDescriptor, state: [UInt8]) {
            self.file = file
            self.state = state
        }
    }

    package init(
        setup: ModelSetup, model: OwnedDescriptor, compiledCopy: CompiledCopy?,
        keep: (@Sendable (OwnedDescriptor, Int) -> Void)?
    ) {
        self.setup = setup
        self.model = model
        self.compiledCopy = compiledCopy
        self.keep = keep
    }
}
