// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import SensitiveContentAnalysis

/// What a transition can depend on besides the stage.
package struct Situation: Sendable, Hashable {
    package let policy: SCSensitivityAnalysisPolicy
    package let direction: MediaDirection
    package let standing: Standing
    /// Whether the media shows gore, which is revealed by degrees.
    package let isGory: Bool
}

/// What is known of the media under the policy in force.
package enum Standing: Sendable, Hashable, CaseIterable {
    /// No check has ended, or only one under a laxer policy, whose thresholds are higher.
    case unjudged
    case harmless
    case sensitive
    case unknown
}

/// The situations for which a row of the table holds.
package struct Condition: Sendable, Hashable {
    package var policies: Set<SCSensitivityAnalysisPolicy>?
    package var directions: Set<MediaDirection>?
    package var standings: Set<Standing>?
    package var isGory: Bool?

    package init(
        _ policies: Set<SCSensitivityAnalysisPolicy>? = nil, _ directions: Set<MediaDirection>? = nil,
        standings: Set<Standing>? = nil, isGory: Bool? = nil
    ) {
        self.policies = policies
        self.directions = directions
        self.standings = standings
        self.isGory = isGory
    }

    package func holds(in situation: Situation) -> Bool {
        policies?.contains(situation.policy) != false && directions?.contains(situation.direction) != false
            && standings?.contains(situation.standing) != false && (isGory ?? situation.isGory) == situation.isGory
    }
}
