// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The reason for which an entry of a folder is not judged.
enum SkipReason: String, CaseIterable, Sendable {
    /// A file with sound and without pictures.
    case sound
    /// A file whose content is neither a picture nor a video, for example a text.
    case noMedia
    /// A document or an archive, in which nothing was looked at.
    case document
    case empty
    /// A symbolic link, which is not followed.
    case link
    /// A pipe, a socket or a device.
    case special
    /// A file that was removed since its folder was listed.
    case removed
    /// A file or a folder that the options of the person leave out.
    case leftOut

    /// The words for one entry in a list.
    var words: String {
        switch self {
        case .sound: "sound without pictures"
        case .noMedia: "no picture and no video"
        case .document: "document or archive, not looked at"
        case .empty: "empty"
        case .link: "link"
        case .special: "pipe, socket or device"
        case .removed: "removed meanwhile"
        case .leftOut: "left out by an option"
        }
    }

    /// The words for a number of entries in the totals.
    func words(for count: Int) -> String {
        switch self {
        case .sound: "\(count) sound"
        case .noMedia: "\(count) without pictures"
        case .document: "\(count) \(count == 1 ? "document or archive" : "documents or archives") not looked at"
        case .empty: "\(count) empty"
        case .link: "\(count) \(count == 1 ? "link" : "links")"
        case .special: "\(count) \(count == 1 ? "pipe or device" : "pipes or devices")"
        case .removed: "\(count) removed meanwhile"
        case .leftOut: "\(count) left out by options"
        }
    }
}
