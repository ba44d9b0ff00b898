// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Formats moments of a video for people.
enum TimeCode {
    /// Returns minutes, seconds and tenths, after the hours if there are any.
    static func text(_ moment: Duration) -> String {
        let tenths = Int((moment / .milliseconds(100)).rounded(.down))
        let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
        let rest = "\(twoDigits(minutes)):\(twoDigits(seconds)).\(tenths % 10)"
        return hours > 0 ? "\(hours):\(rest)" : rest
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
