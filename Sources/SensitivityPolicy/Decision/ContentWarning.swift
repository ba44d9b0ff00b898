// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Whether a person has asked for warnings.
package enum ContentWarning: Sendable, Hashable, CaseIterable {
    case off
    case on
    /// The settings could not be read; they count as on.
    case unknown

    package var isInForce: Bool { self != .off }
}
