// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The number of files with a label, and how many of them could be judged.
package struct LabelCount: Sendable, Hashable {
    package var judged = 0
    /// The files without a score; they are in no other figure.
    package var unknown = 0

    package init(judged: Int = 0, unknown: Int = 0) {
        self.judged = judged
        self.unknown = unknown
    }

    package var total: Int { judged + unknown }
}
