// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The decision for each decoded frame: a score, a repetition of the last scored frame, or no report.
package struct FrameSelection: Sendable {
    private let preset: SamplingPreset
    /// The frame that was last chosen for a score, with which later frames are compared.
    ///
    /// A comparison with the previous decoded frame would miss slow changes.
    private var chosen: (signature: FrameSignature?, time: Duration)?

    package init(preset: SamplingPreset) {
        self.preset = preset
    }

    package enum Choice: Sendable, Equatable {
        /// The frame is scored.
        case score
        /// The frame looks like the last scored frame, and counts as its repetition.
        case repetition
        /// The frame is not reported.
        case pass
    }

    /// - Parameter signature: nil if the frame cannot be compared with other frames.
    package mutating func choose(_ signature: FrameSignature?, at time: Duration) -> Choice {
        guard let chosen, let signature, let earlier = chosen.signature,
            let difference = signature.difference(to: earlier)
        else { return score(signature, time) }
        switch preset {
        case .fast, .balanced, .thorough:
            // A frame is scored now and then without a visible change too, because no comparison is perfect.
            let isDue = time - chosen.time >= Self.longestRepetition
            return difference.isNegligible && !isDue ? .repetition : score(signature, time)
        case .protective:
            let isDue = time - chosen.time >= Self.protectiveDistance || time < chosen.time
            if isDue || difference.hasChangedBlock { return score(signature, time) }
            return difference.isNegligible ? .repetition : .pass
        }
    }

    /// Chooses between a score and a repetition for a frame without a signature, by a comparison that the caller made.
    ///
    /// - Parameter isRepetition: whether the frame looks like the frame that was last chosen for a score.
    package mutating func choose(isRepetition: Bool, at time: Duration) -> Choice {
        guard isRepetition, let chosen, time - chosen.time < Self.longestRepetition else { return score(nil, time) }
        return .repetition
    }

    /// Records a score for a frame that counted as a repetition but looks different on closer inspection.
    package mutating func scoreInstead(_ signature: FrameSignature?, at time: Duration) {
        _ = score(signature, time)
    }

    private mutating func score(_ signature: FrameSignature?, _ time: Duration) -> Choice {
        chosen = (signature, time)
        return .score
    }

    /// The time after which the protective preset scores again: 0.25 s at most if there are 25 frames a second or more.
    private static let protectiveDistance = Duration.milliseconds(200)
    private static let longestRepetition = Duration.seconds(5)
}
