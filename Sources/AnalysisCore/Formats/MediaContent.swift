// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The content of a file that does not suit the request to the decoder.
package enum MediaContent: UInt8, Sendable, CaseIterable {
    /// The file has no bytes.
    case empty = 1
    /// The content is in no known format.
    case unknownFormat = 2
    /// A picture file, which may hold an animation.
    case pictures = 3
    /// A container of video or sound.
    case video = 5
    /// A picture or a video that viewers show, in a format that is not supported here.
    case otherMedia = 6
    /// A file with sound and nothing that a program could show as pictures.
    case sound = 7
    /// A document or an archive, in which pictures may be that are not looked at.
    case document = 8

    /// Whether another decoder may decode the file.
    package var isMedia: Bool {
        switch self {
        case .empty, .unknownFormat, .otherMedia, .sound, .document: false
        case .pictures, .video: true
        }
    }
}
