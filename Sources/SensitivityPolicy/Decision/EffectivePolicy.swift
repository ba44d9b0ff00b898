// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The rule that derives one policy from the choices of the parent, the person and the app.
///
/// The strictest choice counts. Nobody can weaken a parent's choice. An app can demand more than its user, and never
/// less. An unknown choice counts as switched on.
package enum EffectivePolicy {
    /// Returns the policy in force for an app.
    ///
    /// - Parameters:
    ///   - isEntitled: whether the app has the entitlement. It is ignored under Communication Safety, because no store
    ///     checks it here. The removal of the entitlement must not switch the protection off.
    ///   - demand: the policy that the app demands of itself, which needs no permission.
    package static func policy(
        communicationSafety: CommunicationSafety, contentWarning: ContentWarning, isEntitled: Bool,
        demand: AnalysisPolicy
    ) -> AnalysisPolicy {
        if communicationSafety.isInForce { return .descriptive }
        let warning: AnalysisPolicy = contentWarning.isInForce && isEntitled ? .simple : .disabled
        return max(warning, demand)
    }
}
