// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import SensitiveContentAnalysis

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
