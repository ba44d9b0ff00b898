// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Where media stands between its arrival and the person's decision.
package enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Nothing is known of the media, or nothing that holds under the policy in force.
    case checking
    /// There is nothing to decide.
    case open
    /// An adult has the decision.
    case covered
    /// The first pane of a child.
    case explaining
    /// The second pane of a child.
    case confirming
    /// The child has said no, for now.
    case declined
    /// The person looks at ways to get help; the media is covered meanwhile.
    case helping
    /// The person has decided to see gore, and sees its coarse shapes.
    case revealedCoarsely
    /// As before, and the person has asked for more.
    case revealedFinely
    /// The person has decided to see the media.
    case revealed
    /// The child has decided to send the media.
    case sendingAllowed

    /// The stages in which the media can be seen by a decision of the person.
    package static let revealing: Set<Stage> = [.revealedCoarsely, .revealedFinely, .revealed]
    /// The stages that follow from a decision of the person.
    package static let decided = revealing.union([.sendingAllowed])
    /// The stages in which the person has a decision before them, or has put it off.
    package static let interrupted: Set<Stage> = [.covered, .explaining, .confirming, .declined, .helping]
    package static let all = Set(allCases)
}
