// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// The decoding of one segment, on a thread of its own.
///
/// @unchecked: only the thread of the job uses its state, except for the channel and the mutex, which may be shared.
final class SegmentJob: @unchecked Sendable {
    let segment: Segment
    let plan: SegmentPlan
    /// Whether the decoder continues with the next segment at the end of this segment.
    let isContinued: Bool
    let output = BoundedChannel<Output>(capacity: 4)
    /// The moment of the packet that is being decoded, in microseconds; for progress.
    let position: Mutex<Int64>

    /// A result of decoding, in the order in which frames are shown.
    enum Output: @unchecked Sendable {
        // @unchecked: a frame has left its decoder, and passes from one thread to another.

        /// A frame that is to be looked at.
        case frame(PendingFrames.Frame, DecodedFrame, FrameSignature?)
        /// A frame at a moment was decoded, which ends a time whose frames could not be decoded.
        case seen(Int64)
        /// A frame at a moment should have been looked at and could not be decoded.
        case missed(Int64)
        /// A frame from a moment `until` another was missed; later frames were decoded or are reported separately.
        case lost(Int64, until: Int64)
        case finished(Summary)
        case failed(DecodingFailure)
    }

    struct Summary: Sendable {
        var decodedCount = 0
        /// Whether a frame shows another scene than the frame before it.
        var hasShownAnotherScene = false
        var hasExhaustedLimit = false
        /// Whether packets could not be found again; all later packets may depend on them.
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
    ///   - source: returns the packets, and reads a packet again if memory does not hold it.
    ///   - looksAtScenes: whether frames that were decoded for other frames are looked at if the scene changes.
    ///   - comparesFrames: whether frames get signatures, which cost time that other presets can save.
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

    /// Decodes until the end, or until the receiver closes the channel.
    func run() {
        do throws(DecodingFailure) {
            state.pending.add(segment, wanted: wanted)
            // Some players show the frames before the first restart point of a stream, and others leave them out.
            state.decoder.givesIncompleteFrames = segment.isHeadless
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

    /// The number of packets that are decoded.
    private var end: Int {
        if plan.decodesEverything || isContinued { return segment.packets.count }
        guard let last = plan.wanted.last else { return 0 }
        // A key frame needs no further packets. Some other packets give their picture only with packets behind them.
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

    /// Decodes all frames of the segment, because a wanted frame could not be decoded.
    private func decodeEverything() throws(DecodingFailure) {
        wanted = Set(segment.packets.indices)
        state.pending.add(segment, wanted: [])
        try decode(upTo: segment.packets.count)
        try drain()
    }

    private func show(_ frame: DecodedFrame) {
        // A frame without a label is dropped, and its packet then counts as missing.
        guard let label = frame.label, let taken = state.pending.take(label) else { return }
        let known = taken.frame
        let wasMissing = hasMissing
        for frame in taken.lost { miss(.lost(frame.moment, until: frame.end)) }
        // Players show a frame that comes late, regardless of the order of moments.
        var isWanted = known.isWanted || wasMissing || !taken.lost.isEmpty || taken.isLate
        // A false key frame of the container shows parts that the decoder had to make up.
        let isFalseKey =
            label == segment.packets.first?.label && segment.beginsAnew && !frame.isIntra && !isContinued
            && !taken.isFurther
        state.isTainted = frame.isBroken || isFalseKey || state.isTainted && !frame.isIntra
        if state.isTainted {
            // A tainted frame is judged, because players show it, but it does not count as seen.
            if isWanted { miss(.missed(known.moment)) }
        } else if hasMissing || isFirstSeen {
            (hasMissing, isFirstSeen) = (false, false)
            put(.seen(known.moment))
        }
        let isCompared = comparesFrames && (isWanted || looksAtScenes || plan.decodesEverything)
        let signature = isCompared ? frame.signature : nil
        if let signature, let previous = state.previous, let change = signature.difference(to: previous) {
            if change.isAnotherScene { summary.hasShownAnotherScene = true }
            // A frame that was decoded for another frame may be worth a look itself.
            let isDue = state.latestLook.map { known.moment >= $0 + Self.leastDistance } ?? true
            if looksAtScenes, change.isAnotherScene || change.isAnotherPart && isDue { isWanted = true }
        }
        state.previous = signature ?? state.previous
        if isWanted {
            state.latestLook = known.moment
            put(.frame(known, frame, signature))
        }
    }

    /// Reports a missing frame, and notes that frames are missing.
    private func miss(_ output: Output) {
        hasMissing = true
        put(output)
    }

    private func put(_ output: Output) {
        if !isAbandoned, !self.output.put(output) { isAbandoned = true }
    }

    /// The number of packets that are decoded behind the last wanted packet.
    private static let following = 2
    /// The least time between two looks at a change in a part of the picture, in microseconds.
    private static let leastDistance: Int64 = 250_000
}
