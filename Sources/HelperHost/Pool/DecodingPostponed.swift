// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The error of a file that has to make room, and should be tried again in the queue of slow files.
package struct DecodingPostponed: Error, Sendable {
    let hasCrashed: Bool

    init(hasCrashed: Bool = false) {
        self.hasCrashed = hasCrashed
    }

    /// The urgency of the next attempt.
    package var urgency: DecodingUrgency { hasCrashed ? .lastAttempt : .patient }
}
