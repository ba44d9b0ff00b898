// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A difference between what our decoders show of a file and what another program may show.
package enum Disagreement: Equatable, Sendable {
    /// Parts of the file contradict each other, so programs may show other frames.
    case contradiction
    /// Programs show a frame in other colours, or cut off other edges of it.
    case otherLook
    /// The codec of a track changes, and programs follow it or not.
    case changedCodec
    /// A stream of pictures is announced that is no track here.
    case unknownStream
}
