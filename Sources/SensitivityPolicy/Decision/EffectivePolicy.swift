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

/// The content of a settings file.
package enum SettingsFile<Value: Sendable & Hashable>: Sendable, Hashable {
    case absent
    /// The file is not obeyed; the text is the reason with the remedy.
    case refused(String)
    case read(Value)
}

/// Whether a parent or an administrator has put an account under Communication Safety.
package enum CommunicationSafety: Sendable, Hashable, CaseIterable {
    case off
    case on
    /// The choice could not be read; it counts as on.
    case unknown

    package var isInForce: Bool { self != .off }
}

/// Whether a person has asked for warnings.
package enum ContentWarning: Sendable, Hashable, CaseIterable {
    case off
    case on
    /// The settings cannot be read; counts as on.
    case unknown

    package var isInForce: Bool { self != .off }
}
