// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The last answer of AccountsService, which counts while the service is silent.
///
/// A restricting answer stays. A permitting answer expires. Otherwise a person who silences the service would keep a
/// permission that a parent has withdrawn.
struct AnswerMemory {
    private var last: ParentalControlsState?
    private var silentSince: ContinuousClock.Instant?

    mutating func state(
        after answer: ParentalControlsState, at moment: ContinuousClock.Instant
    ) -> ParentalControlsState {
        guard case .unanswered = answer else {
            last = answer
            silentSince = nil
            return answer
        }
        let start = silentSince ?? moment
        silentSince = start
        switch last {
        case .answered(let filter?) where filter.communicationSafety.isInForce: return .answered(filter)
        case .answered(let filter) where start.duration(to: moment) < Self.patience: return .answered(filter)
        default: return answer
        }
    }

    static let patience = Duration.seconds(10)
}
