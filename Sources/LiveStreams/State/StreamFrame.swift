// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A frame of a stream.
package struct StreamFrame<Instant: InstantProtocol, Picture: StreamPicture>: Sendable where Instant: Sendable {
    /// The number of the frame, which grows with each frame of the stream.
    package let number: Int
    /// The time at which the app passed the frame.
    package let arrival: Instant
    package let picture: Picture

    package init(number: Int, arrival: Instant, picture: Picture) {
        self.number = number
        self.arrival = arrival
        self.picture = picture
    }
}
