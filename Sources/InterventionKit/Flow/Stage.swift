// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A stage of media between its arrival and the person's decision.
package enum Stage: String, Sendable, Hashable, CaseIterable {
    /// The media has no verdict, or none that holds under the policy in force.
    case checking
    /// The media is uncovered, because the person has nothing to decide.
    case open
    /// The media is covered until an adult decides.
    case covered
    /// A child sees the first pane, which explains the content.
    case explaining
    /// A child sees the second pane, which asks for the decision.
    case confirming
    /// The child has declined for now.
    case declined
    /// The person looks at ways to get help, while the media stays covered.
    case helping
    /// The person has decided to see gore, and sees its coarse shapes.
    case revealedCoarsely
    /// The person has asked to see more of the gore, and sees its fine shapes.
    case revealedFinely
    /// The person has decided to see the media.
    case revealed
    /// The child has decided to send the media.
    case sendingAllowed

    /// The stages in which the media is visible because the person decided so.
    package static let revealing: Set<Stage> = [.revealedCoarsely, .revealedFinely, .revealed]
    /// The stages in which the person has decided to see or to send the media.
    package static let decided = revealing.union([.sendingAllowed])
    /// The stages in which the person has to decide, or has postponed the decision.
    package static let interrupted: Set<Stage> = [.covered, .explaining, .confirming, .declined, .helping]
    package static let all = Set(allCases)
}
