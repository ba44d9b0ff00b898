// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A fault of a helper process, other than the failures that the process reports itself.
enum HelperProblem {
    /// No helper process could be started or used.
    case unavailable(HelperProcessError)
    /// A reply had values that are impossible for the request.
    case contradiction
    /// A reply could not be parsed, or belonged to another request.
    case invalidAnswer
    case endedTwice
    case timedOut(ConversationLimits)
    /// Another program has stopped the process for longer than the limit.
    case stopped
}
