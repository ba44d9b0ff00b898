// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A length cut into a number of blocks that are as equal as whole samples allow.
package enum Blocks {
    /// The samples of a block; where there are fewer samples than blocks, the nearest one.
    ///
    /// - Parameter count: the number of blocks, more than `index`.
    package static func range(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        let start = length * index / count
        return start..<max(start + 1, length * (index + 1) / count)
    }
}
