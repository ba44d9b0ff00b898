// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds stretches of a file that a demuxer has passed over without an error.
///
/// A gap in time alone does not count, because a picture may stay. It counts if bytes are missing as well, or if the
/// demuxer marks a packet beside it as damaged.
///
/// A gap begins at the end of the picture before it. The file declares this end, so it is limited to the shortest time
/// for which recent pictures without a loss have stayed. In a slide show, each picture may stay for five seconds, and
/// the time between two pictures is no gap. A video of 25 frames a second has no such allowance.
struct LossWatch {
    /// Whether packets lie in the file in the order of reading, one behind the other.
    let isSequential: Bool
    /// The longest stretch that was passed over, in microseconds of playing time.
    private(set) var longest: Int64 = 0
    /// Whether the packet of the watched stream that was noted last is damaged.
    private(set) var endsDamaged = false
    private var coverage: PacketCoverage
    private var latestMoment: Int64?
    private var latestEnd: Int64
    /// The times between the latest pictures without a loss, in microseconds.
    private var steps: [Int64] = []

    /// - Parameter mayHavePadding: whether other packets lie between those of the streams, as in transport streams.
    init(isSequential: Bool, mayHavePadding: Bool) {
        self.isSequential = isSequential
        coverage = PacketCoverage(hasPieces: mayHavePadding)
        // Missing pictures count from the start of the file.
        latestEnd = mayHavePadding ? Self.longestDelay : 0
    }

    /// Notes the position of a packet of any stream in the file, in bytes.
    mutating func note(position: Int64, byteCount: Int) {
        guard isSequential, position >= 0 else { return }
        coverage.add(position: position, byteCount: byteCount)
    }

    /// Notes a packet of the watched stream, after its position has been noted.
    ///
    /// - Parameter hasJumped: whether timestamps begin anew with the packet, so the length of a gap is unknown.
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

    /// The assumed length of a gap of unknown length, in microseconds; it is too long to be passed over.
    private static let unknownLength: Int64 = 1_000_000
    /// The stay of a picture that is always accepted, in microseconds, as in a video of five frames a second.
    private static let leastStay: Int64 = 200_000
    /// The number of latest pictures whose shortest stay limits the stay of the next picture.
    private static let stepCount = 8
    /// The longest time of sound before the first whole picture of a transport stream, in microseconds.
    ///
    /// Pictures are sent up to a second before they are shown, and sound shortly before. So a stream that was cut out
    /// of a longer stream begins with sound alone.
    ///
    /// Source: ISO/IEC 13818-1, section 2.4.2.6.
    private static let longestDelay: Int64 = 1_000_000
}
