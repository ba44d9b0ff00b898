// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// A copy of the first video track of a file, and of its first sound track, in a container of its own.
///
/// The packets are read three times: to find what stands against a copy and to count them, to find the size of the copy, and
/// to write it. So no copy has to lie in the decoder's bounded memory.
final class RemuxedVideo: RemuxedFilm {
    private(set) var byteCount = 0
    private let open: () throws(DecodingFailure) -> MediaContainer
    private let pictures: Int
    /// The index of the sound track; negative for none.
    private let sound: Int
    private let container: FilmContainer
    private var packetCount: Int64 = 0

    /// - Throws: `unsupportedVariant` with the reason in words, for a film that has to be encoded; `libraryLimit` for one that
    ///   the container cannot hold; `noPictures`, `malformed`.
    init(
        _ structure: ContainerStructure, _ demuxer: Demuxer, _ request: RemuxRequest,
        open: @escaping () throws(DecodingFailure) -> MediaContainer
    ) throws(DecodingFailure) {
        self.open = open
        container = request.container
        let original = try open()
        let stream = try original.displayedStream(structure)
        guard !structure.isCut else { throw Self.unfit("parts of it are missing") }
        guard stream.rotation == 0 else { throw Self.unfit("its frames are turned") }
        guard structure.opacityTracks[stream.number] == nil else { throw Self.unfit("it has opacity") }
        pictures = stream.index
        sound = request.keepsSound ? Int(unsafe CFFmpegShims_find_sound(original.opened, container.muxer)) : -1
        guard sound != -3 else {
            throw Self.unfit("only the packets of its sound describe it (--no-sound leaves it out)")
        }
        guard sound != -2 else {
            throw DecodingFailure(.libraryLimit, detail: "its sound cannot be taken over into \(container.name)")
        }
        try check(original, stream, demuxer)
        byteCount = try copy { _, _ in true }
        guard byteCount > 0 else { throw DecodingFailure(.malformed, detail: "no packets") }
        let limit = PictureMemory.largestByteCount
        guard UInt64(byteCount) <= limit else {
            throw Self.unfit("the copy would have \(byteCount) bytes, and the limit is \(limit)")
        }
    }

    /// Reads all packets, counts them, and looks for what a copy would lose.
    private func check(
        _ original: MediaContainer, _ stream: VideoStream, _ demuxer: Demuxer
    ) throws(DecodingFailure) {
        original.select([pictures, sound])
        var pictureCount = 0
        while let packet = try original.nextPacket() {
            packetCount += 1
            guard packet.streamIndex == pictures else { continue }
            pictureCount += 1
            guard !packet.isDamaged else { throw Self.unfit("parts of it are missing") }
            guard packet.hasPresentationTimestamp, let time = packet.timestamp else {
                throw Self.unfit("it does not say when its frames are shown")
            }
            guard !packet.isHidden, demuxer != .mov || time >= 0 else {
                throw Self.unfit("its beginning is cut off by an edit list")
            }
            guard !packet.hasOpacity else { throw Self.unfit("it has opacity") }
            guard !packet.changesLook else { throw Self.unfit("the parameters of its codec change") }
        }
        guard !original.hasFailed else { throw Self.unfit("parts of it are missing") }
        guard original.disagreement != .changedCodec else { throw Self.unfit("its codec changes") }
        guard pictureCount > 0 else { throw DecodingFailure(.noPictures) }
    }

    func write(to memory: WritablePictureMemory) throws(DecodingFailure) {
        let written = try copy { bytes, position in
            do {
                try unsafe memory.write(bytes, at: position)
                return true
            } catch {
                return false
            }
        }
        guard written == byteCount else {
            throw DecodingFailure(.internalError, detail: "the file has changed meanwhile")
        }
    }

    /// Copies all packets, and returns the size of the copy.
    ///
    /// - Parameter take: takes bytes at a position, and returns whether the copying goes on.
    private func copy(
        _ take: @escaping (UnsafeRawBufferPointer, Int) -> Bool
    ) throws(DecodingFailure) -> Int {
        let original = try open()
        original.select([pictures, sound])
        let taker = Taker(take)
        let result = unsafe CFFmpegShims_remux(
            original.opened, Int32(pictures), Int32(sound), container.muxer, packetCount,
            { owner, bytes, count, position in
                guard let owner = unsafe owner, let bytes = unsafe bytes else { return 1 }
                let taker = unsafe Unmanaged<Taker>.fromOpaque(owner).takeUnretainedValue()
                let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
                return unsafe taker.take(piece, Int(position)) ? 0 : 1
            }, Unmanaged.passUnretained(taker).toOpaque())
        guard result >= 0 else {
            var failure = MediaContainer.failure(Int32(clamping: result), or: .libraryLimit)
            let tracks = sound < 0 ? "its frames" : "its frames or its sound"
            failure.detail = "\(container.name) cannot hold \(tracks) as they are (\(failure.detail))"
            throw failure
        }
        return Int(result)
    }

    private final class Taker {
        let take: (UnsafeRawBufferPointer, Int) -> Bool

        init(_ take: @escaping (UnsafeRawBufferPointer, Int) -> Bool) {
            self.take = take
        }
    }

    private static func unfit(_ reason: String) -> DecodingFailure {
        DecodingFailure(.unsupportedVariant, detail: reason)
    }
}

extension FilmContainer {
    /// The name of FFmpeg's muxer.
    fileprivate var muxer: String {
        switch self {
        case .mp4: "mp4"
        case .matroska: "matroska"
        }
    }

    fileprivate var name: String {
        switch self {
        case .mp4: "MP4"
        case .matroska: "Matroska"
        }
    }
}
