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
    private var fileEnd: Int64?
    private var position: Int64 = 0
    private var hole: Int64 = 0
    /// Where the first hole ends in the file, as long as no picture has come.
    private var firstHoleEnd: Int64?
    private var latestMoment: Int64?
    private var latestEnd: Int64
    /// How long the latest pictures have stayed, in microseconds, as far as nothing is gone between them.
    private var steps: [Int64] = []

    /// - Parameter mayHavePadding: whether there are packets between those of the streams, as in transport streams.
    init(isSequential: Bool, mayHavePadding: Bool) {
        self.isSequential = isSequential
        largestOverhead = mayHavePadding ? 16 << 10 : 1 << 10
        // Pictures are missed from the start of the file on.
        latestEnd = mayHavePadding ? Self.longestDelay : 0
    }

    /// Notes where a packet of any stream lies in the file, in bytes.
    mutating func note(position: Int64, byteCount: Int) {
        guard position >= 0 else { return }
        self.position = position
        if isSequential, let fileEnd {
            hole = max(hole, position - fileEnd)
            if firstHoleEnd == nil, position - fileEnd > largestOverhead { firstHoleEnd = position }
        }
        let overhead = Int64(byteCount) / Self.leastShareOfOverhead
        fileEnd = max(fileEnd ?? 0, position + Int64(byteCount) + overhead)
    }

    /// Notes a packet of the stream that is looked at.
    ///
    /// - Parameter hasJumped: whether timestamps begin anew with it, so that nobody knows how long what is gone was.
    mutating func note(moment: Int64, duration: Int64, isDamaged: Bool, hasJumped: Bool) {
        if isDamaged || endsDamaged || hasHole {
            longest = max(longest, hasJumped ? Self.unknownLength : moment - latestEnd)
        } else if !hasJumped, let latestMoment, moment > latestMoment {
            steps = steps.suffix(Self.stepCount - 1) + [moment - latestMoment]
        }
        endsDamaged = isDamaged
        hole = 0
        let end = moment + min(duration, max(Self.firstStep, steps.min() ?? 0))
        latestEnd = latestMoment == nil ? end : max(latestEnd, end)
        latestMoment = max(latestMoment ?? moment, moment)
    }

    /// Whether bytes are gone before the packet of the stream that was read last.
    private var hasHole: Bool {
        // A picture in a transport stream comes after the sound that lies between its pieces: where no picture has come
        // yet, what seems to be gone may be this one.
        if latestMoment == nil { return firstHoleEnd.map { $0 <= position } ?? false }
        return hole > largestOverhead
    }

    /// What lies between packets where nothing is gone, in bytes.
    private let largestOverhead: Int64
    /// Transport streams split packets, with a header for each piece: up to 8 bytes for 184.
    private static let leastShareOfOverhead: Int64 = 16
    /// In microseconds; too long to be passed over.
    private static let unknownLength: Int64 = 1_000_000
    /// How long a picture is believed to stay in any case, in microseconds: as in a video of five frames a second.
    private static let firstStep: Int64 = 200_000
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
