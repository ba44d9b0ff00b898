// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Decides of each decoded frame whether it is scored, or is as good as one that was.
package struct FrameSelection: Sendable {
    private let preset: SamplingPreset
    /// The frame that was last chosen to be scored, which others are compared with; never the last one seen, since
    /// a slow change would otherwise never be noticed.
    private var chosen: (signature: FrameSignature?, time: Duration)?

    package init(preset: SamplingPreset) {
        self.preset = preset
    }

    package enum Choice: Sendable, Equatable {
        /// To be scored.
        case score
        /// It looks like the frame that was last scored, and counts as that.
        case repetition
        /// Nothing is said about it.
        case pass
    }

    /// - Parameter signature: nil where the frame could not be compared with others.
    package mutating func choose(_ signature: FrameSignature?, at time: Duration) -> Choice {
        guard let chosen, let signature, let earlier = chosen.signature,
            let difference = signature.difference(to: earlier)
        else { return score(signature, time) }
        switch preset {
        case .fast, .balanced, .thorough:
            // Once in a while also without a change that shows, since no comparison is perfect.
            let isDue = time - chosen.time >= Self.longestRepetition
            return difference.isNegligible && !isDue ? .repetition : score(signature, time)
        case .protective:
            let isDue = time - chosen.time >= Self.protectiveDistance || time < chosen.time
            if isDue || difference.hasChangedBlock { return score(signature, time) }
            return difference.isNegligible ? .repetition : .pass
        }
    }

    /// The same for a frame that was compared with the frame that was last chosen by other means.
    ///
    /// - Parameter isRepetition: whether it looks the same.
    package mutating func choose(isRepetition: Bool, at time: Duration) -> Choice {
        guard isRepetition, let chosen, time - chosen.time < Self.longestRepetition else { return score(nil, time) }
        return .repetition
    }

    /// Has a frame scored that was taken for a repetition, and looks different on closer inspection.
    package mutating func scoreInstead(_ signature: FrameSignature?, at time: Duration) {
        _ = score(signature, time)
    }

    private mutating func score(_ signature: FrameSignature?, _ time: Duration) -> Choice {
        chosen = (signature, time)
        return .score
    }

    /// A frame more than 0.2 s after the last is the last chance to keep to 0.25 s at 25 frames a second and more.
    private static let protectiveDistance = Duration.milliseconds(200)
    private static let longestRepetition = Duration.seconds(5)
}
