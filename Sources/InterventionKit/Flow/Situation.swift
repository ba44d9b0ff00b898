// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import SensitiveContentAnalysis

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

/// The facts besides the stage on which a transition can depend.
package struct Situation: Sendable, Hashable {
    package let policy: SCSensitivityAnalysisPolicy
    package let direction: MediaDirection
    package let standing: Standing
    /// Whether the media shows content that is revealed by degrees, such as gore.
    package let isRevealedByDegrees: Bool
}

/// The finding about the media under the policy in force.
package enum Standing: Sendable, Hashable, CaseIterable {
    /// No check has ended, or the media was harmless only under a laxer policy, whose thresholds are higher.
    case unjudged
    case harmless
    case sensitive
    case unknown
}

/// A condition under which a row of the transition table applies; a property that is nil permits every value.
package struct Condition: Sendable, Hashable {
    package var policies: Set<SCSensitivityAnalysisPolicy>?
    package var directions: Set<MediaDirection>?
    package var standings: Set<Standing>?
    package var isRevealedByDegrees: Bool?

    package init(
        _ policies: Set<SCSensitivityAnalysisPolicy>? = nil, _ directions: Set<MediaDirection>? = nil,
        standings: Set<Standing>? = nil, isRevealedByDegrees: Bool? = nil
    ) {
        self.policies = policies
        self.directions = directions
        self.standings = standings
        self.isRevealedByDegrees = isRevealedByDegrees
    }

    package func holds(in situation: Situation) -> Bool {
        policies?.contains(situation.policy) != false && directions?.contains(situation.direction) != false
            && standings?.contains(situation.standing) != false
            && (isRevealedByDegrees ?? situation.isRevealedByDegrees) == situation.isRevealedByDegrees
    }
}

extension SCSensitivityAnalysisPolicy {
    /// Whether media that is harmless under this policy is harmless under the other; raw values grow with strictness.
    func isAtLeastAsStrict(as other: SCSensitivityAnalysisPolicy) -> Bool { rawValue >= other.rawValue }
}
