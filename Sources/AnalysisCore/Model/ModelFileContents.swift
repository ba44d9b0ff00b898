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

    /// Whether all numbers are within their bounds, and a classifier has a column for each label.
    package var isPossible: Bool {
        guard let interface else { return true }
        let columns = 1...ModelOutputPlace.maximumColumnCount
        return (1...1 << 26).contains(interface.channelCount) && (1...1 << 24).contains(interface.width)
            && (1...1 << 24).contains(interface.height) && (1...16).contains(interface.outputs.count)
            && interface.outputs.allSatisfy(\.isPossible)
            && (description.labels.isEmpty
                || (columns.contains(description.labels.count)
                    && interface.outputs.count == 1 && interface.outputs[0].count == description.labels.count))
    }
}
