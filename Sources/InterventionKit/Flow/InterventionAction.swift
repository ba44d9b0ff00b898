// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// An action that the person can choose.
public enum InterventionAction: Sendable, Hashable, CaseIterable {
    /// Show the media, or continue the stream; this is the only decision of an adult.
    case show
    /// Show more of media that is revealed by degrees.
    case showMore
    /// Cover the media again.
    case cover
    /// Continue from the first pane to the second: "I'm sure".
    case proceed
    /// View the media: the second decision of a child.
    case view
    /// Send the media: the second decision of a child before sending.
    case send
    /// Leave the panes without viewing or sending: "Not now".
    case decline
    /// Return to a choice that was declined.
    case reconsider
    /// Look at ways to get help.
    case help
    /// Return from the ways to get help.
    case leaveHelp
    /// Write to the trusted grown-up; the app implements it.
    case contactGrownUp
    /// Block the sender of the media; the app implements it.
    case blockContact
    /// Leave the stream, for example a call; the app implements it.
    case leaveStream
    /// Repeat a check that failed.
    case tryAgain

    /// Whether the action is safe for any media, because it only covers, asks for help or leaves.
    var isSafe: Bool {
        switch self {
        case .cover, .decline, .help, .leaveHelp, .contactGrownUp, .blockContact, .leaveStream: true
        case .show, .showMore, .proceed, .view, .send, .reconsider, .tryAgain: false
        }
    }
}

/// An ability of an app to do something for the person; an action that needs a missing ability is not offered.
public enum InterventionAbility: Sendable, Hashable, CaseIterable {
    /// The app can open a message to a trusted grown-up of ``PersonalHelp``, or to a grown-up named by the child.
    case contactGrownUp
    /// The app can block a contact.
    case blockContact
    /// The app can leave a stream.
    case leaveStream
}

/// A request to the app, made by a choice of the person.
public enum InterventionRequest: Sendable, Hashable, CaseIterable {
    /// Send the media: the person has chosen it on the second pane.
    ///
    /// The request is made only after a decision. ``InterventionPresentation/maySend`` permits sending in every case.
    /// An app that sends when `maySend` becomes true must ignore this request, or it sends the media twice.
    case send
    /// Open a message to the trusted grown-up, without the media.
    case contactGrownUp
    /// Block the sender of the media.
    case blockContact
    /// Leave the stream.
    case leaveStream
}
