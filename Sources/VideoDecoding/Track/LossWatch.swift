// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Notices stretches of a file that a demuxer has passed over without a word.
///
/// A gap in time alone means nothing: what is shown may stay. It counts where bytes are gone as well, or where the demuxer
/// says of a packet beside it that something is missing.
///
/// It is measured from where the picture before it ends. That is said by the file, so it is believed for no longer than
/// pictures have stayed of late where nothing was gone: a slide show may say that each picture stays for five seconds,
/// and what is between two of them is then no stretch without pictures; a video of 25 frames a second may not.
struct LossWatch {
    /// Whether packets lie in the file in the order in which they are read, one behind the other.
    let isSequential: Bool
    /// The longest stretch that was passed over, in microseconds.
    private(set) var longest: Int64 = 0
    /// Whether the packet that was read last is not all there.
    private(set) var endsDamaged = false
    private var coverage: PacketCoverage
    private var latestMoment: Int64?
    private var latestEnd: Int64
    /// How long the latest pictures have stayed, in microseconds, as far as nothing is gone between them.
    private var steps: [Int64] = []

    /// - Parameter mayHavePadding: whether there are packets between those of the streams, as in transport streams.
    init(isSequential: Bool, mayHavePadding: Bool) {
        self.isSequential = isSequential
        coverage = PacketCoverage(hasPieces: mayHavePadding)
        // Pictures are missed from the start of the file on.
        latestEnd = mayHavePadding ? Self.longestDelay : 0
    }

    /// Notes where a packet of any stream lies in the file, in bytes.
    mutating func note(position: Int64, byteCount: Int) {
        guard isSequential, position >= 0 else { return }
        coverage.add(position: position, byteCount: byteCount)
    }

    /// Notes a packet of the stream that is looked at, whose position has been noted.
    ///
    /// - Parameter hasJumped: whether timestamps begin anew with it, so that nobody knows how long what is gone was.
    mutating func note(moment: Int64, duration: Int64, isDamaged: Bool, hasJumped: Bool) {
        let hasGap = coverage.takeGapBeforeLatest()
        if isDamaged || endsDamaged || hasGap {
            longest = max(longest, hasJumped ? Self.unknownLength : moment - latestEnd)
        } else if !hasJumped, let latestMoment, moment > latestMoment {
            steps = steps.suffix(Self.stepCount - 1) + [moment - latestMoment]
        }
        endsDamaged = isDamaged
        let end = moment + min(duration, max(Self.leastStay, steps.min() ?? 0))
        latestEnd = latestMoment == nil ? end : max(latestEnd, end)
        latestMoment = max(latestMoment ?? moment, moment)
    }

    /// In microseconds; too long to be passed over.
    private static let unknownLength: Int64 = 1_000_000
    /// How long a picture is believed to stay in any case, in microseconds: as in a video of five frames a second.
    private static let leastStay: Int64 = 200_000
    /// So many have to stay for long before one is believed that it does.
    private static let stepCount = 8
    /// How long sound may come before the first whole picture of a transport stream, in microseconds.
    ///
    /// Pictures are sent up to a second before they are shown, and sound shortly before. So a stream that was cut out of
    /// a longer one begins with sound alone.
    ///
    /// Source: ISO/IEC 13818-1, section 2.4.2.6.
    private static let longestDelay: Int64 = 1_000_000
}
