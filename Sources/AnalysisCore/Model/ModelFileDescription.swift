// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The contents of a Core ML model file, as the process that reads such files states them.
///
/// All texts come from the file, so they are untrusted.
package struct ModelFileDescription: Sendable, Hashable, Codable {
    /// The kind of the model, such as "neural network classifier".
    package var kind: String
    package var specificationVersion: Int
    package var summary: String
    package var author: String
    package var licence: String
    package var version: String
    package var inputs: [Feature]
    package var outputs: [Feature]
    /// The labels of a classifier, in the file's order.
    package var labels: [String]
    /// The kinds of layers, with the number of each.
    package var layers: [LayerCount]
    /// The parts that are not supported, each as one sentence with its remedy; empty if the model can be imported.
    package var unsupportedParts: [String]

    package init(
        kind: String = "", specificationVersion: Int = 0, summary: String = "", author: String = "",
        licence: String = "", version: String = "", inputs: [Feature] = [], outputs: [Feature] = [],
        labels: [String] = [], layers: [LayerCount] = [], unsupportedParts: [String] = []
    ) {
        self.kind = kind
        self.specificationVersion = specificationVersion
        self.summary = summary
        self.author = author
        self.licence = licence
        self.version = version
        self.inputs = inputs
        self.outputs = outputs
        self.labels = labels
        self.layers = layers
        self.unsupportedParts = unsupportedParts
    }

    /// An input or output of a model.
    package struct Feature: Sendable, Hashable, Codable {
        package var name: String
        /// The type in words, such as "RGB image of 224 × 224".
        package var type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    /// The number of layers of one kind.
    package struct LayerCount: Sendable, Hashable, Codable {
        package var kind: String
        package var count: Int

        package init(kind: String, count: Int) {
            self.kind = kind
            self.count = count
        }
    }
}
