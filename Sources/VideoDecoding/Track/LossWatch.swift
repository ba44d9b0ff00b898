// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Notices stretches of a file that a demuxer has passed over without a word.
///
/// A gap in time alone means nothing: what is shown may stay. It counts where bytes are gone as well, or where the demuxer
/// says of the packet after it that something is missing.
struct LossWatch {
    /// Whether packets lie in the file in the order in which they are read, one behind the other.
    let isSequential: Bool
    /// The longest stretch that was passed over, in microseconds.
    private(set) var longest: Int64 = 0
    /// Whether the packet that was read last is not all there.
    private(set) var endsDamaged = false
    private var fileEnd: Int64?
    private var latestMoment: Int64?
    private var hole: Int64 = 0

    init(isSequential: Bool) {
        self.isSequential = isSequential
    }

    /// Notes where a packet of any stream lies in the file, in bytes.
    mutating func note(position: Int64, byteCount: Int) {
        guard position >= 0 else { return }
        if isSequential, let fileEnd { hole = max(hole, position - fileEnd) }
        fileEnd = max(fileEnd ?? 0, position + Int64(byteCount))
    }

    /// Notes a packet of the stream that is looked at.
    mutating func note(moment: Int64, duration: Int64, isDamaged: Bool) {
        endsDamaged = isDamaged
        if let latestMoment, isDamaged || hole > Self.largestOverhead {
            longest = max(longest, moment - latestMoment)
        }
        hole = 0
        latestMoment = max(latestMoment ?? 0, moment + duration)
    }

    /// What containers put between packets, tables and indices aside, in bytes.
    private static let largestOverhead: Int64 = 16 << 10
}
