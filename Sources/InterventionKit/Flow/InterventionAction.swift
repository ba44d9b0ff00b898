// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Something that the person can choose to do.
public enum InterventionAction: Sendable, Hashable, CaseIterable {
    /// Show the media, or go on with the stream; an adult's one decision.
    case show
    /// Show more of media that is revealed by degrees.
    case showMore
    /// Cover the media again.
    case cover
    /// Go on from the first pane to the second: "I'm sure".
    case proceed
    /// View the media: a child's second decision.
    case view
    /// Send the media: a child's second decision before sending.
    case send
    /// Leave the panes without viewing or sending: "Not now".
    case decline
    /// Come back to a choice that was declined.
    case reconsider
    /// Look at ways to get help.
    case help
    /// Come back from the ways to get help.
    case leaveHelp
    /// Write to the trusted grown-up; the app implements it.
    case contactGrownUp
    /// Block whoever the media came from; the app implements it.
    case blockContact
    /// Leave the stream, for example a call; the app implements it.
    case leaveStream
    /// Check again what could not be checked.
    case tryAgain

    /// Whether the action only covers, asks for help or leaves, whatever the media is.
    var isSafe: Bool {
        switch self {
        case .cover, .decline, .help, .leaveHelp, .contactGrownUp, .blockContact, .leaveStream: true
        case .show, .showMore, .proceed, .view, .send, .reconsider, .tryAgain: false
        }
    }
}

/// Something that an app can do if the person asks for it; what it cannot do is not offered.
public enum InterventionAbility: Sendable, Hashable, CaseIterable {
    /// The app can open a message to a grown-up whom the child trusts: the one of ``PersonalHelp``, or whom the child names.
    case contactGrownUp
    /// The app can block a contact.
    case blockContact
    /// The app can leave a stream.
    case leaveStream
}

/// Something that the app is to do now, because the person has chosen it.
public enum InterventionRequest: Sendable, Hashable, CaseIterable {
    /// Send the media: the person has chosen it on the second pane.
    ///
    /// It comes only where there was something to decide. Whether media may be sent is said by
    /// ``InterventionPresentation/maySend`` in every case; who sends when that becomes true leaves this aside, so that
    /// nothing is sent twice.
    case send
    /// Open a message to the trusted grown-up, without the media.
    case contactGrownUp
    /// Block whoever the media came from.
    case blockContact
    /// Leave the stream.
    case leaveStream
}
