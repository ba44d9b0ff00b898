// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What a settings file says.
package enum SettingsFile<Value: Sendable & Hashable>: Sendable, Hashable {
    case absent
    /// It is not obeyed; the text says why, and what to do.
    case refused(String)
    case read(Value)
}

/// Whether a parent or an administrator has put an account under Communication Safety.
package enum CommunicationSafety: Sendable, Hashable, CaseIterable {
    case off
    case on
    /// It could not be found out; counts as on.
    case unknown

    package var isInForce: Bool { self != .off }
}

/// Whether a person has asked to be warned.
package enum ContentWarning: Sendable, Hashable, CaseIterable {
    case off
    case on
    /// The settings cannot be read; counts as on.
    case unknown

    package var isInForce: Bool { self != .off }
}

/// What is known of the parental controls that the desktop keeps in AccountsService.
package enum ParentalControlsState: Sendable, Hashable {
    /// AccountsService is not installed.
    case notInstalled
    /// The administrator's file says that AccountsService is not used here.
    case notUsed
    /// It is installed, and has not answered yet or cannot be asked; the text says why.
    case unanswered(String)
    /// What it has said last; nil where it knows of no parental controls.
    case answered(OARSFilter?)
}
