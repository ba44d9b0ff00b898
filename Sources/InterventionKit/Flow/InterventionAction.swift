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
