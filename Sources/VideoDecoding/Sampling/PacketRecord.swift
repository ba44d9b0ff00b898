// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The facts about one encoded frame that its container gives without decoding.
struct PacketRecord: Sendable, Hashable {
    /// The moment at which the frame is shown.
    var time: Duration
    /// The size of the encoded frame in bytes.
    var byteCount: Int
    /// Whether decoding can begin with this frame.
    var isKey: Bool

    init(time: Duration, byteCount: Int, isKey: Bool) {
        self.time = time
        self.byteCount = byteCount
        self.isKey = isKey
    }
}
