// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import FileAccess
internal import HelperProtocol
internal import ViewerAgreement

/// A media file that FFmpeg has opened; it gives its streams, and its packets one after the other.
@safe
final class MediaContainer {
    private var context: UnsafeMutablePointer<AVFormatContext>?
    /// The file; it keeps the descriptor open that FFmpeg reads from.
    private let file: InputFile
    /// Whether packets lie in the file in the order of reading; in MP4 files, they may lie anywhere.
    let isSequential: Bool
    /// Whether packets are split and padded, with pieces of other packets between them, as in MPEG streams.
    let mayHavePadding: Bool
    /// Whether the file has an index of all frames, or consists of fragments with an index each.
    let hasIndex: Bool
    private let isMatroska: Bool
    /// The last fragments of the file, or nil if none were found.
    let fragments: MovieFragments?
    /// Whether reading ended because of an error, and not at the end of the file.
    private(set) var hasFailed = false
    /// The reason why programs may show pictures that the streams do not hold, or nil while none is known.
    private(set) var disagreement: Disagreement?

    /// Notes that programs may show pictures that are no streams.
    func noteUnreportedCovers() { disagreement = disagreement ?? .contradiction }

    /// The tables of a transport stream, and the position up to which the file was searched; nil for other formats.
    private var tables: (programs: ProgramTables, position: Int)?
    /// The codecs of all streams when the file was opened.
    private var codecs: [StreamCodec] = []

    /// Opens a file and finds its streams.
    ///
    /// - Throws: `malformed`, `outOfMemory`, `tooManyParts`.
    init(
        _ file: InputFile, _ demuxer: Demuxer, _ structure: ContainerStructure
    ) throws(DecodingFailure) {
        self.file = file
        hasIndex = demuxer == .mov
        isMatroska = demuxer == .matroska
        fragments = structure.fragments
        isSequential = demuxer != .mov
        mayHavePadding = [.mpegts, .mpeg, .asf].contains(demuxer)
        if demuxer == .mpegts { tables = (ProgramTables(), 0) }
        let patches = structure.patches.sorted { $0.position < $1.position }.map(\.raw)
        disagreement = structure.disagreement
        let error = unsafe CFFmpegShims_open(
            &context, file.descriptor.number, Int64(file.start), Int64(file.byteCount), patches,
            Int32(patches.count), structure.keepsPatches ? 1 : 0, demuxer.rawValue, VideoCodec.list)
        guard error != CFFmpegShims_error_too_many_streams else { throw Self.tooManyStreams }
        guard unsafe error == 0 && context != nil else { throw Self.failure(error) }
        try checkStreamCount()
        let announced = currentCodecs
        let found = unsafe avformat_find_stream_info(context, nil)
        try checkStreamCount()
        guard found >= 0 else { throw Self.failure(found) }
        codecs = currentCodecs
        if zip(announced, codecs).contains(where: { !$1.canFollow($0) }) {
            disagreement = disagreement ?? .changedCodec
        }
        if try !Self.isPlainlyIndexed(file, demuxer, indexedPositions) { disagreement = disagreement ?? .contradiction }
        if demuxer == .mpeg, streams.contains(where: { $0.codec != .mpeg1 && $0.codec != .mpeg2 }) {
            disagreement = disagreement ?? .unknownStream
        }
        if demuxer == .mov, codecs.contains(where: \.isPictureInDisguise) {
            disagreement = disagreement ?? .contradiction
        }
    }

    /// Whether a chunk or tag begins at each position in the index of an AVI or FLV file; true for other formats.
    private static func isPlainlyIndexed(
        _ file: InputFile, _ demuxer: Demuxer, _ positions: @autoclosure () -> Set<Int>
    ) throws(DecodingFailure) -> Bool {
        switch demuxer {
        case .flv: try FLVIndex.leadsToTags(at: positions(), in: file)
        case .avi: try AVIIndex.leadsToChunks(at: positions(), in: file)
        case .mov, .matroska, .mpegts, .mpeg, .asf, .dv, .ogg, .apng, .wav, .mp3, .flac, .jpeg: true
        }
    }

    deinit {
        unsafe CFFmpegShims_close(&context)
    }

    var opened: UnsafeMutablePointer<AVFormatContext> { unsafe context! }

    // MARK: Streams

    private var currentCodecs: [StreamCodec] {
        (0..<streamCount).map { index in unsafe StreamCodec(opened.pointee.streams[index]!.pointee.codecpar.pointee) }
    }

    private static let tooManyStreams = DecodingFailure(.tooManyParts, bound: 64, detail: "streams")

    private func checkStreamCount() throws(DecodingFailure) {
        if unsafe CFFmpegShims_has_too_many_streams(opened) != 0 { throw Self.tooManyStreams }
    }

    /// Notes a change from or to a codec of pictures since the file was opened.
    private func noteChanges() throws(DecodingFailure) {
        try checkStreamCount()
        guard disagreement == nil else { return }
        for (index, codec) in codecs.enumerated() {
            let now = unsafe StreamCodec(opened.pointee.streams[index]!.pointee.codecpar.pointee)
            if now != codec, now.isPictures || codec.isPictures { disagreement = .changedCodec }
        }
    }

    /// The streams that FFmpeg has found, for the search for covers.
    var reportedStreams: SoundFile.ReportedStreams {
        SoundFile.ReportedStreams(
            hasAny: !codecs.isEmpty, areSoundOnly: codecs.allSatisfy(\.isSound),
            coverCount: streams.count(where: \.isAttachedPicture), haveDisagreement: disagreement != nil)
    }

    private var streamCount: Int { unsafe Int(opened.pointee.nb_streams) }

    /// The positions of frames in the index of the file, as far as FFmpeg has read the index.
    private var indexedPositions: Set<Int> {
        (0..<streamCount).reduce(into: []) { positions, index in
            let stream = unsafe rawStream(index)
            for place in 0..<(unsafe avformat_index_get_entries_count(stream)) {
                guard let entry = unsafe avformat_index_get_entry(stream, place) else { continue }
                unsafe positions.insert(Int(entry.pointee.pos))
            }
        }
    }

    /// The streams of pictures, each of which a player may show.
    var streams: [VideoStream] {
        (0..<streamCount).compactMap { index in
            unsafe opened.pointee.streams[index].flatMap { unsafe VideoStream($0, index: index, decodesOpacity: true) }
        }
    }

    /// Returns the video that the app displays: the first one that can be decoded.
    ///
    /// - Throws: `noPictures`.
    func displayedStream(_ structure: ContainerStructure) throws(DecodingFailure) -> VideoStream {
        let videos = streams.filter { !$0.isAttachedPicture && !structure.isOpacity($0.number) }
        guard let stream = videos.first(where: { $0.codec != nil }) ?? videos.first else {
            throw DecodingFailure(.noPictures)
        }
        return stream
    }

    func rawStream(_ index: Int) -> UnsafeMutablePointer<AVStream> { unsafe opened.pointee.streams[index]! }

    /// Returns the parameters of a stream's decoder from the container.
    func extraData(of stream: VideoStream) -> [UInt8] { unsafe VideoStream.extraData(rawStream(stream.index)) }

    /// The moment at which the container begins, in microseconds, or nil if it is unknown.
    var startTime: Int64? {
        let start = unsafe opened.pointee.start_time
        let bound = TrackClock.furthestTimestamp
        return start == CFFmpegShims_no_timestamp ? nil : max(-bound, min(start, bound))
    }

    /// The length that the container declares, in microseconds; nil if FFmpeg only estimates it.
    var declaredDuration: Int64? {
        let duration = unsafe opened.pointee.duration
        let method = unsafe opened.pointee.duration_estimation_method
        guard duration != CFFmpegShims_no_timestamp, duration > 0, method != AVFMT_DURATION_FROM_BITRATE else {
            return nil
        }
        // Matroska counts from 0, also if the first frame comes later. Source: RFC 9559, section 5.1.2.3.
        return isMatroska ? max(1, duration - max(0, startTime ?? 0)) : duration
    }

    /// Whether timestamps may jump, as in joined broadcasts.
    var mayHaveJumps: Bool { unsafe opened.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 }

    /// Selects streams to read, by their indices.
    func select(_ indices: Set<Int>) {
        for index in 0..<streamCount {
            let isRead = indices.contains(index)
            unsafe opened.pointee.streams[index]!.pointee.discard = isRead ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Selects a stream to read; `keepingOthers` keeps the other streams, which show the length of the file.
    func select(_ stream: VideoStream, keepingOthers: Bool) {
        select(keepingOthers ? Set(0..<streamCount) : [stream.index])
    }

    // MARK: Packets

    /// Returns the next packet of any selected stream, or nil at the end of the file or at an error.
    func nextPacket() throws(DecodingFailure) -> EncodedPacket? {
        let packet = try EncodedPacket()
        // Without this bound, a demuxer that fails again and again without progress would never end.
        for _ in 0..<Self.maximumFailures {
            let error = unsafe av_read_frame(opened, packet.pointer)
            switch error {
            case 0:
                try noteChanges()
                return packet
            case CFFmpegShims_error_end: return nil
            case CFFmpegShims_error_memory: throw DecodingFailure(.outOfMemory, detail: "a packet of the file")
            case CFFmpegShims_error_again: continue
            default:
                hasFailed = true
                return nil
            }
        }
        return nil
    }

    /// Reads the next 256 KiB of a transport stream for program tables, up to the last packet or the end of the file.
    ///
    /// - Returns: whether bytes were read, so more may follow; false for other formats and after a disagreement.
    func readTables(toEnd: Bool) throws(DecodingFailure) -> Bool {
        guard var (programs, position) = tables, disagreement == nil else { return false }
        // The file may have many gigabytes, so the tables must not be copied at each step.
        tables = nil
        let reached = unsafe Int(clamping: opened.pointee.pb.pointee.pos)
        let end = toEnd ? file.byteCount : min(file.byteCount, reached)
        guard toEnd || end - position >= Self.tableStep else {
            tables = (programs, position)
            return false
        }
        let bytes = try file.bytes(at: position, count: min(end - position, Self.tableStep))
        programs.add(bytes)
        position += bytes.count
        if bytes.isEmpty { programs.finish() }
        disagreement = programs.disagreement
        tables = (programs, position)
        return !bytes.isEmpty
    }

    private static let tableStep = 256 << 10

    /// Returns the next packet of one stream, or nil at the end of the file or at an error.
    func nextPacket(of stream: VideoStream) throws(DecodingFailure) -> EncodedPacket? {
        while let packet = try nextPacket() {
            if packet.streamIndex == stream.index { return packet }
        }
        return nil
    }

    /// Returns the end of a packet of any stream, in microseconds from the file's start; nil without a timestamp.
    func end(of packet: EncodedPacket) -> Int64? {
        guard let timestamp = packet.timestamp, packet.streamIndex < streamCount else {
            return nil
        }
        let base = unsafe opened.pointee.streams[packet.streamIndex]!.pointee.time_base
        let end = VideoStream.microseconds(timestamp &+ packet.duration, base)
        return end - (startTime ?? 0)
    }

    /// The share of the file that has been read, from 0 to 1.
    var readShare: Double {
        let position = unsafe opened.pointee.pb.pointee.pos
        return min(1, max(0, Double(position) / Double(max(1, file.byteCount))))
    }

    /// Seeks to the key frame at or before a timestamp in units of the stream.
    ///
    /// - Returns: whether the container could seek.
    func seek(_ stream: VideoStream, to timestamp: Int64) -> Bool {
        unsafe avformat_seek_file(opened, Int32(stream.index), .min, timestamp, timestamp, 0) >= 0
    }

    private static let maximumFailures = 1000

    /// Returns the failure for an error of FFmpeg.
    static func failure(_ error: Int32, or reason: DecodingFailure.Reason = .malformed) -> DecodingFailure {
        if error == CFFmpegShims_error_memory { return DecodingFailure(.outOfMemory) }
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            unsafe CFFmpegShims_describe(error, buffer.baseAddress, 128)
            return unsafe String(cString: buffer.baseAddress!)
        }
        return DecodingFailure(reason, detail: text)
    }
}
