// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The presentation of media at one moment: its cover, the current pane and the choices of the person.
public struct InterventionPresentation: Sendable, Hashable {
    /// The cover of the media.
    public let cover: Cover
    /// The pane for the person; nil if no pane is shown.
    public let pane: Pane?
    /// The placement of the pane: among the content of the app, or over the whole view.
    public let style: Style
    /// The choices of the pane, in order.
    public let actions: [InterventionAction]
    /// Further choices, in order, which may be in a closed menu.
    public let menu: [InterventionAction]
    /// The choice of the return key, which is always a safe action; nil if no key should choose.
    public let defaultAction: InterventionAction?
    /// The choice that closing the pane makes; nil if the pane cannot be closed.
    public let closingAction: InterventionAction?
    /// Whether the app may send the media; true only for media with the direction `sending`.
    ///
    /// This is the only permission to send: for harmless media, for adults, and after a child's decisions. Sending
    /// cannot be undone. An app that sends automatically sends when this first becomes true, then releases the flow.
    public let maySend: Bool

    /// Whether the person can choose this action now.
    public func offers(_ action: InterventionAction) -> Bool {
        actions.contains(action) || menu.contains(action)
    }

    /// Whether all of the media may be seen and heard.
    ///
    /// While any cover is left, the app plays neither sound nor video.
    public var isUncovered: Bool { cover == .none }

    /// A degree of covering; a cover that hides more is greater.
    public enum Cover: Sendable, Hashable, CaseIterable, Comparable {
        /// No cover.
        case none
        /// Fine shapes can be recognised.
        case fine
        /// Coarse shapes can be recognised.
        case coarse
        /// No shape can be recognised or restored.
        case full
    }

    /// The kind of a pane.
    public enum Pane: Sendable, Hashable, CaseIterable {
        /// A line about the running check.
        case checking
        /// A short line to an adult about the covered media.
        case notice
        /// The first pane of a child: an explanation of the content, and the question whether the child is sure.
        case explanation
        /// The second pane of a child: the choice is the child's own.
        case confirmation
        /// A short line to a child who has declined.
        case declined
        /// A short line about media that is revealed by degrees.
        case degree
        /// Ways to get help.
        case help
    }

    /// The placement of a pane in the app.
    public enum Style: Sendable, Hashable {
        /// In the place of the media, among other content.
        case inline
        /// Over the whole view, until the person chooses.
        case modal
    }
}
