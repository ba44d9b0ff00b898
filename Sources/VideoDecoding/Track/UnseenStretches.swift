// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Measures the times of a video whose frames should have been looked at but could not be decoded.
struct UnseenStretches {
    /// The longest time without a decoded frame, in microseconds.
    private(set) var longest: Int64 = 0
    private var start: Int64?
    /// The stretch that has ended last; a loss that begins in it or at its end extends it.
    private var ended: Range<Int64>?

    /// Notes a frame that could not be decoded.
    mutating func miss(at moment: Int64) {
        let first =
            if let ended, ended.contains(moment) || moment == ended.upperBound { ended.lowerBound } else { moment }
        start = min(start ?? first, first)
    }

    /// Notes a decoded frame, or the end of the track.
    mutating func see(at moment: Int64) {
        if let start {
            longest = max(longest, moment - start)
            ended = start..<max(start, moment)
        }
        start = nil
    }
}
