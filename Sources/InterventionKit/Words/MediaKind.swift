// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The kind of media in the words to a person.
public enum MediaKind: String, Sendable, Hashable, CaseIterable {
    /// A picture or an animation.
    case image
    /// A video file.
    case video
    /// A video call or another stream.
    case stream
}
