// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The findings of one analysed frame.
package struct StreamJudgement<Instant: InstantProtocol, Picture: StreamPicture>: Sendable where Instant: Sendable {
    package let frame: StreamFrame<Instant, Picture>
    package let finding: StreamFinding
    /// The time at which the analysis ended.
    package let end: Instant
    /// Whether the person has decided about the content since; the judgement then founds no further finding.
    package internal(set) var isAnswered = false
}
