// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Returns the resident memory of this process, in KiB.
package func residentKilobytes() throws -> Int {
    struct Unknown: Error {}
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    guard let number = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { throw Unknown() }
    return number
}
