// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A check, at regular intervals, whether to stop waiting for a reply.
struct AnswerWatch: Sendable {
    let interval: Duration
    let mustGiveWay: @Sendable () -> Bool
}
