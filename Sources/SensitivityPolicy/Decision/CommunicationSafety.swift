// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Whether a parent or an administrator has put an account under Communication Safety.
package enum CommunicationSafety: Sendable, Hashable, CaseIterable {
    case off
    case on
    /// The choice could not be read; it counts as on, so that a failure does not remove the protection.
    case unknown

    package var isInForce: Bool { self != .off }
}
