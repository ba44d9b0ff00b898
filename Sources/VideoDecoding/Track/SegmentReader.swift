// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol
internal import ViewerAgreement

/// Reads a stream in segments, ahead of their decoding.
final class SegmentReader {
    private let container: MediaContainer
    private let stream: VideoStream
    private let opacity: OpacityPackets?
    private var clock: TrackClock
    private var cutter: SegmentCutter
    private var labelCount: Int64 = 0
    /// The position of the furthest packet of the stream in the file, in bytes.
    private var furthestPosition: Int64 = 0
    private var isAtEnd = false
    /// The latest decoder parameters that came with a packet, or nil if none came.
    private var parameters: [UInt8]?
    private(set) var losses: LossWatch
    /// Whether parameters of a packet differ from the container's, with which a player begins that seeks to the packet.
    private var hasChangedParameters = false
    /// The parameters of the stream from the container.
    private let extraData: [UInt8]
    private let units: CodedUnits
    /// Whether packets so far had their units within a unit; both if they differ.
    private var isWrapped: Set<Bool> = []
    /// The check of parameters that packets carry, and on which later frames may depend.
    private var sets: ParameterSets
    private var pictures: PacketPictures
    private let restartPoints: RestartPoints
    /// The check of references between frames, for HEVC only.
    private var references: HEVCReferences?
    /// Whether there was a packet that players show differently.
    private var hasDisagreementInPackets = false
    /// The latest end of any packet in the file, in microseconds.
    private(set) var latestEnd: Int64 = 0

    /// - Parameter holdsEverything: whether large segments are cut, so all packets stay in memory until decoding.
    init(_ container: MediaContainer, _ stream: VideoStream, opacity: OpacityPackets?, holdsEverything: Bool) {
        self.opacity = opacity
        cutter = SegmentCutter(holdsEverything: holdsEverything)
        self.container = container
        self.stream = stream
        clock = TrackClock(container)
        extraData = container.extraData(of: stream)
        units = CodedUnits(stream.codec, extraData: extraData)
        sets = ParameterSets(stream.codec, extraData: extraData)
        pictures = PacketPictures(stream.codec, extraData: extraData)
        restartPoints = RestartPoints(stream.codec)
        references = stream.codec == .hevc ? HEVCReferences(extraData: extraData) : nil
        losses = LossWatch(isSequential: container.isSequential, mayHavePadding: container.mayHavePadding)
    }

    var isShifted: Bool { clock.isShifted }
    /// Whether decoders need parameters that only some packets carry.
    var hasNewParameters: Bool { parameters != nil }
    var readShare: Double { container.readShare }
    /// Whether reading ended because of an error, and not at the end of the file.
    var hasFailed: Bool { container.hasFailed }
    /// Whether frames of an MP4 file are missing, by its index, its last fragments, or the share that was read.
    var lacksFrames: Bool {
        guard container.hasIndex, !stream.isAttachedPicture else { return false }
        if stream.frameCount == 0,
            let endsEarly = container.fragments?.endAfter(furthestPosition, ofTrack: stream.number)
        {
            return endsEarly
        }
        return Self.lacksFrames(announced: stream.frameCount, read: labelCount, readShare: container.readShare)
    }

    /// - Parameter announced: the number of frames in the index, or 0 if no index covers the whole file.
    static func lacksFrames(announced: Int64, read: Int64, readShare: Double) -> Bool {
        announced > 0 ? announced - read > mostMissing : readShare < leastShare
    }

    /// The reason why programs may show other pictures than those read here, or nil while none is known.
    var disagreement: Disagreement? { container.disagreement }
    /// The reason why players may show other pictures of this stream, or show them at other moments.
    var disagreementAboutStream: Disagreement? {
        if clock.hasImpossibleTimestamps || hasDisagreementInPackets || references?.haveDisagreement == true
            || pictures.haveDisagreement
        {
            return .contradiction
        }
        return sets.haveDisagreement || hasChangedParameters ? .changedCodec : nil
    }

    /// The number of known streams of pictures, which may grow because some containers begin streams in mid-file.
    var streamCount: Int { container.streams.count }

    /// Reads packets until a segment is complete.
    ///
    /// - Parameter mayGoOn: asked before every packet. If it returns false, the next call continues the segment.
    /// - Returns: nil if the segment is not complete yet; after the last segment, a segment without packets.
    func nextSegment(while mayGoOn: () -> Bool) throws(DecodingFailure) -> Segment? {
        while !isAtEnd {
            guard mayGoOn() else { return nil }
            guard let packet = try container.nextPacket() else {
                guard try !container.readTables(toEnd: true) else { continue }
                isAtEnd = true
                break
            }
            _ = try container.readTables(toEnd: false)
            losses.note(position: packet.position, byteCount: packet.byteCountWithOpacity)
            guard packet.streamIndex == stream.index else {
                noteOther(packet)
                continue
            }
            if let opacity, try !opacity.attach(to: packet, of: stream) { hasDisagreementInPackets = true }
            let labelled = labelled(packet)
            if let changed = packet.newParameters {
                if changed != extraData { hasChangedParameters = true }
                parameters = changed
            } else if let parameters, cutter.isFirst(labelled) {
                // Each segment needs the parameters, because decoders share the segments and skip some of them.
                try packet.setNewParameters(parameters)
            }
            if let complete = cutter.add(labelled) { return complete }
        }
        return cutter.finish()
    }

    private func labelled(_ packet: EncodedPacket) -> Segment.Packet {
        let isOfUnits = stream.codec == .h264 || stream.codec == .hevc
        let coded = units.split(isOfUnits || sets.areWatched ? packet.bytes : [])
        let labelled = Segment.Packet(
            encoded: packet, label: labelCount,
            moment: clock.moment(at: packet.timestamp.map(stream.microseconds)), timestamp: packet.timestamp,
            duration: stream.microseconds(packet.duration), byteCount: packet.byteCountWithOpacity, isKey: packet.isKey,
            isRestartPoint: restartPoints.contain(coded, isKey: packet.isKey),
            isDamaged: packet.isDamaged || !coded.isPlain, position: packet.position)
        // Decoders that do not look for units in a unit show the other packets alone, and longer.
        isWrapped.insert(coded.shape == .wrapped)
        if coded.shape == .misleading || isWrapped.count > 1 { hasDisagreementInPackets = true }
        sets.add(coded, isKey: packet.isKey)
        pictures.add(coded)
        references?.add(coded)
        latestEnd = max(latestEnd, labelled.moment + labelled.duration)
        losses.note(
            moment: labelled.moment, duration: labelled.duration, isDamaged: labelled.isDamaged,
            hasJumped: clock.hasJumped)
        // All players hide frames before the start of an edit list. In fragments, FFmpeg hides frames that go back.
        if packet.isHidden && container.fragments != nil
            || PacketCheck.hasDisagreement(byteCount: packet.byteCount, of: stream.codec, packet.bytes)
        {
            hasDisagreementInPackets = true
        }
        furthestPosition = max(furthestPosition, packet.position)
        packet.label(labelCount)
        labelCount += 1
        return labelled
    }

    /// Notes a packet of another stream, because sound often lasts longer than pictures and then ends the file.
    private func noteOther(_ packet: EncodedPacket) {
        guard let end = container.end(of: packet) else { return }
        latestEnd = max(latestEnd, end)
    }

    /// The most frames that may be missing: less than half a second of most videos.
    private static let mostMissing: Int64 = 10
    /// The share of a file of fragments below which frames count as missing; the rest may be the index at the end.
    private static let leastShare = 0.97
}
