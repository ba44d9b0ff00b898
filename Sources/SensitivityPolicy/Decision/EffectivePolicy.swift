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

/// The result of reading a settings file.
package enum SettingsFile<Value: Sendable & Hashable>: Sendable, Hashable {
    case absent
    /// The file is not obeyed; the text continues a sentence about the file with the reason and the remedy.
    case refused(String)
    case read(Value)
}

/// Whether a parent or an administrator has put an account under Communication Safety.
package enum CommunicationSafety: Sendable, Hashable, CaseIterable {
    case off
    case on
    /// The choice could not be read; it counts as on, so that a failure does not remove the protection.
    case unknown

    package var isInForce: Bool { self != .off }
}

/// Whether a person has asked for warnings.
package enum ContentWarning: Sendable, Hashable, CaseIterable {
    case off
    case on
    /// The settings could not be read; they count as on.
    case unknown

    package var isInForce: Bool { self != .off }
}
