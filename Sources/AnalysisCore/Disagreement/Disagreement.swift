// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A difference between what our decoders show of a file and what another program may show.
///
/// Its treatment is to give up, with a sentence for the person. A look that can be made here is no disagreement:
/// structures return it as a further rendering to judge, for example as a `FilePart`.
package struct Disagreement: Hashable, Sendable {
    package let kind: Kind
    /// The difference in words, as part of a sentence; empty if the kind says everything.
    package let words: String

    /// A disagreement about the look of a picture.
    init(_ words: String) {
        (kind, self.words) = (.otherLook, words)
    }

    private init(_ kind: Kind) {
        (self.kind, words) = (kind, "")
    }

    package enum Kind: Sendable {
        /// Parts of the file contradict each other, so programs may show other frames.
        case contradiction
        /// Programs show a frame in other colours, or cut off other edges of it.
        case otherLook
        /// The codec of a track changes, and programs follow it or not.
        case changedCodec
        /// A stream of pictures is announced that is no track here.
        case unknownStream
    }

    package static let contradiction = Self(Kind.contradiction)
    package static let otherLook = Self(Kind.otherLook)
    package static let changedCodec = Self(Kind.changedCodec)
    package static let unknownStream = Self(Kind.unknownStream)
}
