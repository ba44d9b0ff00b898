// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The direction in which media travels, from the view of the protected person.
public enum MediaDirection: String, Sendable, Hashable, CaseIterable {
    /// A picture or a video that was received from somebody else.
    case receiving
    /// A picture or a video that the person is about to send.
    case sending
    /// A stream, such as a video call, that is judged while it runs.
    case live
}
