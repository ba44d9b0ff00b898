// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The rule by which one policy comes of what the parent, the person and the app want.
///
/// The strictest wins: a parent's choice cannot be weakened by anybody below, and an app can demand more than its user,
/// never less. What is unknown counts as switched on.
package enum EffectivePolicy {
    /// - Parameters:
    ///   - isEntitled: whether the app may ask. Under Communication Safety a missing entitlement does not matter, since
    ///     no store checks it here, and whoever could remove it must not switch off the protection with it.
    ///   - demand: what the app wants of itself, for which it needs nobody's leave.
    package static func policy(
        communicationSafety: CommunicationSafety, contentWarning: ContentWarning, isEntitled: Bool,
        demand: AnalysisPolicy
    ) -> AnalysisPolicy {
        if communicationSafety.isInForce { return .descriptive }
        let warning: AnalysisPolicy = contentWarning.isInForce && isEntitled ? .simple : .disabled
        return max(warning, demand)
    }
}
