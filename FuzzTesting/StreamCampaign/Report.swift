// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes a line of results at once, also into a pipe, because a campaign runs for minutes.
func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Returns the median, the 95th and 99th percentile, and the largest of some times.
func percentiles(_ values: [Double], digits: Int) -> String {
    let sorted = values.sorted()
    guard let last = sorted.last else { return "none" }
    let shares = [0.5, 0.95, 0.99].map { sorted[Int(Double(sorted.count - 1) * $0)] } + [last]
    return shares.map { String(format: "%.\(digits)f", $0) }.joined(separator: " / ")
}
