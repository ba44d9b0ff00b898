// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The reply of the process that reads Core ML files: the file's description, and the interface of the ONNX model.
package struct ModelFileContents: Sendable, Hashable, Codable {
    package var description: ModelFileDescription
    /// nil if the file has a part that is not supported.
    package var interface: ConvertedInterface?

    package init(description: ModelFileDescription, interface: ConvertedInterface?) {
        self.description = description
        self.interface = interface
    }
}
