// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The position of a number in a model's output.
package struct ModelOutputPlace: Sendable, Hashable {
    /// The name of the output tensor, of shape N × columns.
    package var name: String
    package var column: Int

    package init(name: String, column: Int) {
        self.name = name
        self.column = column
    }

    package static let maximumColumnCount = 100_000
}
