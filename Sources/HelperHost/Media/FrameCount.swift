// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol
internal import Synchronization

/// Whether what a decoder says of a file is no more than it may be.
///
/// A decoder keeps the limits itself; one that was taken over must not keep the host at work by not doing so. The order
/// of frames means nothing: a decoder goes back where it could not decode at first.
final class FrameCount: Sendable {
    /// In all tracks together, as the limit is meant.
    private let count = Mutex(0)

    /// - Throws: where there are more frames than were allowed, or one behind the last moment that was.
    func check(_ event: OpenMedia.Event, within request: MediaRequest) throws(HelperLie) {
        switch event {
        case .frame(_, let start, _), .repetition(let start, _):
            let isTooMany = count.withLock { count in
                count += 1
                return count > request.limits.maximumFrameCount
            }
            guard !isTooMany, start <= request.limits.maximumDuration else { throw HelperLie() }
        case .progress, .end: break
        }
    }
}
