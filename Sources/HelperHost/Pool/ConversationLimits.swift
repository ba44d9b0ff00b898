// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The time limits of a conversation, which is about one file or one picture.
package struct ConversationLimits: Sendable, Hashable {
    /// The limit for each reply.
    package var answer: Duration
    /// The limit for all replies together.
    package var total: Duration
    package var urgency: DecodingUrgency
    /// The time for a reply after which a file may have to make room for waiting files; most replies take less.
    package var patience: Duration

    package init(
        answer: Duration, total: Duration, urgency: DecodingUrgency = .patient, patience: Duration = .milliseconds(500)
    ) {
        self.answer = answer
        self.total = total
        self.urgency = urgency
        self.patience = patience
    }
}
