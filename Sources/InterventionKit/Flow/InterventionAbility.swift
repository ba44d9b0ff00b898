// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// An ability of an app to do something for the person; an action that needs a missing ability is not offered.
public enum InterventionAbility: Sendable, Hashable, CaseIterable {
    /// The app can open a message to a trusted grown-up of ``PersonalHelp``, or to a grown-up named by the child.
    case contactGrownUp
    /// The app can block a contact.
    case blockContact
    /// The app can leave a stream.
    case leaveStream
}
