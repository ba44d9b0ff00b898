// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol
internal import Synchronization

/// The number of frames and repetitions that a decoder has reported for a file, checked against the limits.
///
/// A decoder obeys the limits itself. This check stops a decoder that was taken over from keeping the host busy. Any
/// order of frames is allowed, because a decoder goes back to spans that it could not decode at first.
final class FrameCount: Sendable {
    /// The number for all tracks together, because the limit is for the whole file.
    private let count = Mutex(0)

    /// Counts a frame or a repetition, and throws `HelperLie` above the limit of the count or of the start time.
    func check(_ event: OpenMedia.Event, within request: OpenRequest) throws(HelperLie) {
        switch event {
        case .frame(_, let start, _), .repetition(let start, _):
            try check(start: start, within: request.limits)
        case .progress, .end: break
        }
    }

    /// Counts a frame, and throws `HelperLie` above the limit of the count or of the start time.
    func check(start: Duration, within limits: AnalysisLimits) throws(HelperLie) {
        let isTooMany = count.withLock { count in
            count += 1
            return count > limits.maximumFrameCount
        }
        guard !isTooMany, start <= limits.maximumDuration else { throw HelperLie() }
    }
}
