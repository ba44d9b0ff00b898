// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The extent of the search for pictures inside a picture.
package struct InnerPictureSearch: Sendable, Hashable, Codable {
    /// The score of 3 × 3 places in the map of the whole picture from which on it is searched; 0 to search every picture.
    package var warmth: Float
    /// The largest number of inner pictures that are judged; 0 for none, if only the map is needed.
    package var count: Int

    package init(warmth: Float, count: Int) {
        (self.warmth, self.count) = (warmth, count)
    }

    /// The largest number of inner pictures of a view that a process reports; so many fit into a message.
    package static let mostInnerPictures = 16
}
