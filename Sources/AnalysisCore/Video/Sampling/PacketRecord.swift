// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What a container says about one encoded frame, without decoding it.
package struct PacketRecord: Sendable, Hashable {
    /// The moment at which the frame is shown.
    package var time: Duration
    /// The size of the encoded frame in bytes.
    package var byteCount: Int
    /// Whether decoding can begin with this frame.
    package var isKey: Bool

    package init(time: Duration, byteCount: Int, isKey: Bool) {
        self.time = time
        self.byteCount = byteCount
        self.isKey = isKey
    }
}
