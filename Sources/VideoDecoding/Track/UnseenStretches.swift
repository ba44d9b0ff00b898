// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Measures what should have been looked at and could not be decoded.
struct UnseenStretches {
    /// In microseconds.
    private(set) var longest: Int64 = 0
    private var start: Int64?
    /// The stretch that has ended last, which what is missing from its end on makes longer.
    private var ended: Range<Int64>?

    /// Notes a frame that could not be decoded.
    mutating func miss(at moment: Int64) {
        let first =
            if let ended, ended.contains(moment) || moment == ended.upperBound { ended.lowerBound } else { moment }
        start = min(start ?? first, first)
    }

    /// Notes a frame that could, or the end of the track.
    mutating func see(at moment: Int64) {
        if let start {
            longest = max(longest, moment - start)
            ended = start..<max(start, moment)
        }
        start = nil
    }
}
