// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A picture of a stream, as far as the stream's state compares it with other pictures.
package protocol StreamPicture: Sendable {
    /// Returns how much the picture differs from a judged picture.
    func change(from judged: Self) -> PictureChange

    /// Whether another scene or an inserted part begins with the picture.
    func isCut(from previous: Self) -> Bool

    /// Whether the picture shows nothing that the judged pictures before and after it do not show.
    ///
    /// - Parameter later: the judged picture after this picture; nil if there is none.
    func isLike(_ earlier: Self, and later: Self?) -> Bool

    /// The memory of the pixels, in bytes.
    var byteCount: Int { get }

    /// The picture without its pixels, which is kept for comparisons.
    var withoutPixels: Self { get }
}
