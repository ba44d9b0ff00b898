// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The finding about the media under the policy in force.
package enum Standing: Sendable, Hashable, CaseIterable {
    /// No check has ended, or the media was harmless only under a laxer policy, whose thresholds are higher.
    case unjudged
    case harmless
    case sensitive
    case unknown
}
