// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// The decoding of one segment, on a thread of its own.
///
/// @unchecked: the thread that runs the job is alone with all it holds, but for the channel, which may be shared.
final class SegmentJob: @unchecked Sendable {
    let segment: Segment
    let plan: SegmentPlan
    /// Whether the decoder goes on with the next segment from where this one ends.
    let isContinued: Bool
    let output = BoundedChannel<Output>(capacity: 4)
    /// The moment of the packet that is being decoded, in microseconds; for progress.
    let position: Mutex<Int64>

    /// What comes of decoding, in the order in which frames are shown.
    enum Output: @unchecked Sendable {
        // @unchecked: a frame has left its decoder, and is handed from one thread to another.

        /// A frame that is to be looked at.
        case frame(PendingFrames.Frame, DecodedFrame, FrameSignature?)
        /// Something could be decoded, and ends a stretch that could not.
        case seen(Int64)
        /// Something should have been looked at and could not be decoded.
        case missed(Int64)
        /// The same, where all that is shown after an end has been decoded or is told of.
        case lost(Int64, until: Int64)
        case finished(Summary)
        case failed(DecodingFailure)
    }

    struct Summary: Sendable {
        var decodedCount = 0
        /// Whether a frame shows something else than the one before it.
        var hasShownAnotherScene = false
        var hasExhaustedLimit = false
        /// Whether packets could not be found again, on which all that follow may depend.
        var hasLostPackets = false
    }

    private let source: SegmentSource
    private let state: SegmentDecoder
    private let looksAtScenes: Bool
    private let comparesFrames: Bool
    private let frames: FrameBudget
    private var wanted: Set<Int>
    private var summary = Summary()
    private var hasMissing = false
    private var isFirstSeen = true
    private var isAbandoned = false

    /// - Parameters:
    ///   - source: gives the packets, also those that are not held in memory.
    ///   - looksAtScenes: whether frames that were decoded for others are looked at where the scene changes.
    ///   - comparesFrames: whether frames get signatures, which take time that may not be needed.
    init(
        _ segment: Segment, _ plan: SegmentPlan, isContinued: Bool, source: SegmentSource, decoder: SegmentDecoder,
        looksAtScenes: Bool, comparesFrames: Bool, frames: FrameBudget
    ) {
        self.segment = segment
        position = Mutex(segment.packets.first?.moment ?? 0)
        self.plan = plan
        self.isContinued = isContinued
        self.source = source
        state = decoder
        self.looksAtScenes = looksAtScenes
        self.comparesFrames = comparesFrames
        self.frames = frames
        wanted = Set(plan.wanted)
    }

    /// Decodes until the end or until nobody wants the frames any more.
    func run() {
        do throws(DecodingFailure) {
            state.pending.add(segment, wanted: wanted)
            try decode(upTo: end)
            if !isContinued, end > 0 {
                try drain()
                if hasMissing, segment.packets.count > 1, !summary.hasExhaustedLimit { try decodeEverything() }
            }
            put(.finished(summary))
        } catch {
            put(.failed(error))
        }
    }

    /// How many packets are decoded.
    private var end: Int {
        if plan.decodesEverything || isContinued { return segment.packets.count }
        guard let last = plan.wanted.last else { return 0 }
        // A key frame comes out by itself; of others, some packets have no picture but in what follows.
        return last == 0 ? 1 : min(segment.packets.count, last + 1 + Self.following)
    }

    private func decode(upTo end: Int) throws(DecodingFailure) {
        let decodesAll = plan.decodesEverything || isContinued || !plan.evidence.isEmpty || hasMissing
        for position in 0..<end where !isAbandoned {
            guard frames.take() else {
                summary.hasExhaustedLimit = true
                return
            }
            summary.decodedCount += 1
            self.position.withLock { $0 = segment.packets[position].moment }
            let isWanted = wanted.contains(position)
            state.decoder.skipsFramesWithoutDependents = !isWanted && !decodesAll
            let packet = try source.packet(position, of: segment)
            if packet == nil { summary.hasLostPackets = true }
            if let packet, try state.decoder.send(packet) {
                while let frame = try state.decoder.receive() { show(frame) }
            } else if isWanted {
                miss(.missed(segment.packets[position].moment))
            }
        }
    }

    private func drain() throws(DecodingFailure) {
        state.decoder.beginDraining()
        while let frame = try state.decoder.receive() { show(frame) }
        state.decoder.reset()
        state.isTainted = false
        for frame in state.pending.takeRest() { miss(.lost(frame.moment, until: frame.end)) }
        state.previous = nil
    }

    /// What was wanted could not be decoded: everything near it is tried instead.
    private func decodeEverything() throws(DecodingFailure) {
        wanted = Set(segment.packets.indices)
        state.pending.add(segment, wanted: [])
        try decode(upTo: segment.packets.count)
        try drain()
    }

    private func show(_ frame: DecodedFrame) {
        // What comes without its label is missing by it.
        guard let label = frame.label, let taken = state.pending.take(label) else { return }
        let known = taken.frame
        let wasMissing = hasMissing
        for frame in taken.lost { miss(.lost(frame.moment, until: frame.end)) }
        // A frame that comes late is shown by players, whatever its moment says of others.
        var isWanted = known.isWanted || wasMissing || !taken.lost.isEmpty || taken.isLate
        // What the container calls a key frame, and is none, shows what the decoder had to make up.
        let isFalseKey =
            label == segment.packets.first?.label && segment.beginsAnew && !frame.isIntra && !isContinued
            && !taken.isFurther
        state.isTainted = frame.isBroken || isFalseKey || state.isTainted && !frame.isIntra
        if state.isTainted {
            // It is judged as well, since players show it; but it does not count as seen.
            if isWanted { miss(.missed(known.moment)) }
        } else if hasMissing || isFirstSeen {
            (hasMissing, isFirstSeen) = (false, false)
            put(.seen(known.moment))
        }
        let isCompared = comparesFrames && (isWanted || looksAtScenes || plan.decodesEverything)
        let signature = isCompared ? frame.signature : nil
        if let signature, let previous = state.previous, let change = signature.difference(to: previous) {
            if change.isAnotherScene { summary.hasShownAnotherScene = true }
            // Decoded for something else, and worth a look for itself.
            let isDue = state.latestLook.map { known.moment >= $0 + Self.leastDistance } ?? true
            if looksAtScenes, change.isAnotherScene || change.isAnotherPart && isDue { isWanted = true }
        }
        state.previous = signature ?? state.previous
        if isWanted {
            state.latestLook = known.moment
            put(.frame(known, frame, signature))
        }
    }

    /// - Parameter output: what is missing.
    private func miss(_ output: Output) {
        hasMissing = true
        put(output)
    }

    private func put(_ output: Output) {
        if !isAbandoned, !self.output.put(output) { isAbandoned = true }
    }

    /// In packets.
    private static let following = 2
    /// Of changes in a part of the picture no more are looked at than four a second, in microseconds.
    private static let leastDistance: Int64 = 250_000
}
