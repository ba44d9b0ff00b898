// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Something that an app can do if the person asks for it; what it cannot do is not offered.
public enum InterventionAbility: Sendable, Hashable, CaseIterable {
    /// The app can open a message to a grown-up whom the child trusts: the one of ``PersonalHelp``, or whom the child names.
    case contactGrownUp
    /// The app can block a contact.
    case blockContact
    /// The app can leave a stream.
    case leaveStream
}
