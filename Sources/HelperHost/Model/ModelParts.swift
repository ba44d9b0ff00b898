// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import FileAccess
package import HelperProtocol

/// The opened files from which the model's process loads a model.
package struct ModelParts: Sendable {
    package var setup: ModelSetup
    package var model: OwnedDescriptor
    package var compiledCopy: CompiledCopy?
    /// Keeps the compiled form for the next start, or nil if the form is not kept.
    ///
    /// The arguments are the memory that holds the form, and its length in bytes.
    package var keep: (@Sendable (OwnedDescriptor, Int) -> Void)?

    /// A compiled form that an earlier start has kept.
    package struct CompiledCopy: Sendable {
        package var file: OwnedDescriptor
        /// The state of the files from which the form was made; the copy's digest covers this state.
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
