// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A frame that leaves the gate.
package enum StreamRelease<Instant: InstantProtocol, Picture: StreamPicture>: Sendable where Instant: Sendable {
    case frame(StreamFrame<Instant, Picture>)
    case cover(StreamFrame<Instant, Picture>, CoverReason)
}
