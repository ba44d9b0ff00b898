// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What an app shows of media at one moment: how it is covered, which pane is up, and what the person can choose.
public struct InterventionPresentation: Sendable, Hashable {
    /// How the media is covered.
    public let cover: Cover
    /// What is said to the person; nil where there is nothing to say.
    public let pane: Pane?
    /// Whether the pane is part of the content or interrupts the flow of the app.
    public let style: Style
    /// The choices of the pane, in order.
    public let actions: [InterventionAction]
    /// Further choices, in order, which need not be in sight.
    public let menu: [InterventionAction]
    /// The choice for which the return key stands, always a safe one; nil where no key should choose.
    public let defaultAction: InterventionAction?
    /// What closing the pane means; nil where it cannot be closed.
    public let closingAction: InterventionAction?
    /// Whether the app may send the media; true only for media that is to be sent.
    ///
    /// The one permission, for harmless media, for adults and after a child's decisions. What has been sent stays
    /// sent, so an app that sends by itself does so the first time and then lets go of the flow.
    public let maySend: Bool

    /// Whether the person can choose this now.
    public func offers(_ action: InterventionAction) -> Bool {
        actions.contains(action) || menu.contains(action)
    }

    /// Whether all of the media may be seen and heard.
    ///
    /// Sound is kept back as long as anything is covered, and a video does not play.
    public var isUncovered: Bool { cover == .none }

    /// How media is covered; who covers more is greater.
    public enum Cover: Sendable, Hashable, CaseIterable, Comparable {
        /// By nothing.
        case none
        /// So that fine shapes can be told.
        case fine
        /// So that coarse shapes can be told.
        case coarse
        /// So that nothing can be told, and nothing can be restored.
        case full
    }

    /// What is said to the person.
    public enum Pane: Sendable, Hashable, CaseIterable {
        /// That the media is being checked.
        case checking
        /// A short line to an adult about what is covered.
        case notice
        /// The first pane of a child: what this is, and whether the child is sure.
        case explanation
        /// The second pane of a child: that it is the child's choice.
        case confirmation
        /// A short line to a child who has said no.
        case declined
        /// A short line about what is revealed by degrees.
        case degree
        /// Ways to get help.
        case help
    }

    /// How a pane lies in the app.
    public enum Style: Sendable, Hashable {
        /// In the place of the media, among other content.
        case inline
        /// Over the whole view, until the person chooses.
        case modal
    }
}
