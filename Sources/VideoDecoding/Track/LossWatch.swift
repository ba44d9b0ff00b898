// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Notices stretches of a file that a demuxer has passed over without a word.
///
/// A gap in time alone means nothing: what is shown may stay. It counts where bytes are gone as well, or where the demuxer
/// says of a packet beside it that something is missing.
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

    /// - Parameter mayHavePadding: whether there are packets between those of the streams, as in transport streams.
    init(isSequential: Bool, mayHavePadding: Bool) {
        self.isSequential = isSequential
        largestOverhead = mayHavePadding ? 16 << 10 : 1 << 10
    }

    /// Notes where a packet of any stream lies in the file, in bytes.
    mutating func note(position: Int64, byteCount: Int) {
        guard position >= 0 else { return }
        if isSequential, let fileEnd { hole = max(hole, position - fileEnd) }
        let overhead = Int64(byteCount) / Self.leastShareOfOverhead
        fileEnd = max(fileEnd ?? 0, position + Int64(byteCount) + overhead)
    }

    /// Notes a packet of the stream that is looked at.
    ///
    /// - Parameter hasJumped: whether timestamps begin anew with it, so that nobody knows how long what is gone was.
    mutating func note(moment: Int64, duration: Int64, isDamaged: Bool, hasJumped: Bool) {
        if let latestMoment, isDamaged || endsDamaged || hole > largestOverhead {
            longest = max(longest, hasJumped ? Self.unknownLength : moment - latestMoment)
        }
        endsDamaged = isDamaged
        hole = 0
        latestMoment = max(latestMoment ?? 0, moment + duration)
    }

    /// What lies between packets where nothing is gone, in bytes.
    private let largestOverhead: Int64
    /// Transport streams split packets, with a header for each piece: up to 8 bytes for 184.
    private static let leastShareOfOverhead: Int64 = 16
    /// In microseconds; too long to be passed over.
    private static let unknownLength: Int64 = 1_000_000
}
