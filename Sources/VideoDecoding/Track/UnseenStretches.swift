// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Measures what should have been looked at and could not be decoded.
struct UnseenStretches {
    /// In microseconds.
    private(set) var longest: Int64 = 0
    private var start: Int64?

    /// Whether something is missing that has not been made up for.
    var isOpen: Bool { start != nil }

    /// Notes a frame that could not be decoded.
    mutating func miss(at moment: Int64) {
        start = min(start ?? moment, moment)
    }

    /// Notes a frame that could, or the end of the track.
    mutating func see(at moment: Int64) {
        if let start { longest = max(longest, moment - start) }
        start = nil
    }
}
