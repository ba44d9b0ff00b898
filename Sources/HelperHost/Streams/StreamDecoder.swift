// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import Glibc
internal import HelperProtocol
internal import Synchronization

/// The decoding of one live stream in a helper process of its own, which lives as long as the stream.
///
/// The host moves the bytes of the stream and reads none of them.
package final class StreamDecoder: Sendable {
    private let launcher: any HelperLauncher
    private let request: StreamRequest
    private let pipe: StreamPipe
    private let pool = AnonymousMemoryPool()
    private let receive: @Sendable (LiveStreamEvent) -> Void
    private let state = Mutex(State())

    private struct State {
        var connection: HelperConnection?
        var hasEnded = false
    }

    /// Starts the decoding.
    ///
    /// - Parameter beginning: the bytes before all others.
    /// - Parameter receive: called with each event, on one thread; it should return soon, because the decoder waits.
    /// - Throws: `AnalysisFailure` if the program is missing, or the system has no descriptor or thread left.
    init(
        _ launcher: any HelperLauncher, _ request: StreamRequest, beginning: [UInt8],
        receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws {
        try launcher.requireProgram()
        let made: (pipe: StreamPipe, reading: OwnedDescriptor)
        do throws(TransportError) {
            made = try StreamPipe.make(beginning: beginning)
        } catch {
            throw launcher.kind.failure(.unavailable(.cannotStart(error)))
        }
        self.launcher = launcher
        self.request = request
        self.receive = receive
        pipe = made.pipe
        let reading = made.reading
        let starts = BackgroundThread.start(blocksSignals: true) { [self] in run(reading) }
        guard !starts else { return }
        pipe.close()
        throw AnalysisFailure(.internalFailure, "The system has no thread left for the decoding of a stream.")
    }

    /// Passes on the next bytes of the stream, and waits while the decoder is behind.
    package func send(_ bytes: [UInt8]) async { await pipe.send(bytes) }

    /// Passes on the next bytes of the stream, and blocks the thread while the decoder is behind.
    package func sendAndBlock(_ bytes: [UInt8]) { pipe.sendAndBlock(bytes) }

    /// Ends the stream; the frames that are left are still delivered.
    package func finish() { pipe.finish() }

    /// Gives the stream up; nothing is delivered afterwards.
    package func end() {
        let connection = state.withLock { state in
            state.hasEnded = true
            defer { state.connection = nil }
            return state.connection
        }
        connection?.kill()
        pipe.close()
    }

    private var hasEnded: Bool { state.withLock { $0.hasEnded } }

    // MARK: The thread

    private func run(_ reading: OwnedDescriptor) {
        let outcome = Result { try decode(reading) }
        let isWanted = !hasEnded
        end()
        guard isWanted else { return }
        switch outcome {
        case .success: receive(.end)
        case .failure(let error): receive(.failure(failure(error)))
        }
    }

    /// Decodes to the end of the stream.
    private func decode(_ reading: OwnedDescriptor) throws {
        let connection = try connect()
        guard case .streamOpened = try exchange(.openStream(request), connection, reading).reply else {
            throw HelperLie()
        }
        var frameCount = 0
        var firstLook: FrameLook?
        var lastFrame = ContinuousClock.now
        var drained: ContinuousClock.Instant?
        while !hasEnded {
            let begin = ContinuousClock.now
            let answer = try exchange(.nextStreamFrame, connection, nil)
            let now = ContinuousClock.now
            let waited = begin.duration(to: now)
            switch answer.reply {
            case .streamFrame(let reply):
                frameCount += 1
                // No frame is shorter than a byte, so more frames than bytes are a flood.
                guard frameCount <= pipe.writtenCount else { throw HelperLie() }
                lastFrame = now
                let frame = try LiveStreamFrame(reply, answer.memory, request.limits, pool)
                let look = FrameLook(frame.pixels)
                // A reader of frames without headers would take parts of one frame for another.
                guard !request.keepsFirstLook || firstLook ?? look == look else { throw HelperLie() }
                firstLook = look
                if !hasEnded { receive(.frame(frame)) }
            case .streamWaits:
                // A decoder that has the whole stream waits for nothing but itself.
                let hasAll = pipe.isDrained && !reading.hasBytes
                if hasAll { drained = drained ?? now }
                // An app may finish a stream long after its last frame, and the time of the decoder begins then.
                let silence = max(lastFrame, drained ?? lastFrame).duration(to: now)
                let isStuck = (hasAll ? silence : min(pipe.blockedTime(at: now), silence)) > limit
                guard !isStuck else { throw HelperProcessError.timedOut }
                // A decoder waits for 150 ms before it says so. One that does not would keep a core busy.
                if waited < .milliseconds(20) { usleep(20_000) }
            case .streamEnd:
                guard pipe.isDrained, !reading.hasBytes else {
                    throw AnalysisFailure(
                        .malformedMedia,
                        "The stream goes on behind its end, which the decoder does not show. Take the rest for unknown."
                    )
                }
                return
            case .failure(let failure): throw Self.failure(failure)
            default: throw HelperLie()
            }
        }
    }

    /// The size and the colours of a frame, which frames of one size share.
    private struct FrameLook: Equatable {
        let width, height: Int
        let format: VideoPixelFormat
        let matrix: VideoPixels.ColorMatrix

        init(_ pixels: VideoPixels) {
            (width, height, format, matrix) = (pixels.width, pixels.height, pixels.format, pixels.matrix)
        }
    }

    private static func failure(_ failure: DecodingFailure) -> AnalysisFailure {
        switch failure.reason {
        case .unsupportedContainer:
            AnalysisFailure(
                .unsupportedMedia,
                "The stream is in no format that is read here: use MPEG-TS, Matroska, WebM, FLV, MP4 with its index"
                    + " first, Ogg, multipart JPEG, Annex B of H.264 or HEVC, IVF, or Y4M.")
        case .noPictures:
            AnalysisFailure(
                .unsupportedMedia,
                "The stream has no pictures of a kind that is read here, so there is nothing to judge. MPEG-TS carries few"
                    + " codecs; Matroska carries all of them.")
        case .malformed:
            AnalysisFailure(
                .malformedMedia,
                "The stream is damaged or incomplete\(words(of: failure)). Send it again. An MP4 must have its index first;"
                    + " otherwise name the file.")
        case .ambiguousRendering:
            AnalysisFailure(
                .ambiguousMedia,
                "Players may show the stream in different ways\(words(of: failure)), and one look cannot be made here."
                    + " Show only the frames that are decoded here, or encode the stream in another way.")
        default: AnalysisFailure(failure)
        }
    }

    private static func words(of failure: DecodingFailure) -> String {
        failure.detail.isEmpty ? "" : " (\(failure.detail))"
    }

    private func connect() throws -> HelperConnection {
        let connection = try launcher.connect()
        let isWanted = state.withLock { state in
            if !state.hasEnded { state.connection = connection }
            return !state.hasEnded
        }
        if !isWanted { connection.kill() }
        return connection
    }

    private func exchange(
        _ request: DecoderRequest, _ connection: HelperConnection, _ attachment: OwnedDescriptor?
    ) throws(HelperProcessError) -> HelperAnswer {
        try connection.exchange(request, with: attachment, within: limit, givingWay: nil)
    }

    /// The time within which the decoder replies, and makes progress with the bytes that it has.
    private var limit: Duration { request.limits.maximumDecodingTime }

    private func failure(_ error: any Error) -> AnalysisFailure {
        let kind = launcher.kind
        return switch error {
        case let failure as AnalysisFailure: failure
        case is HelperLie: kind.failure(.contradiction)
        case HelperProcessError.invalidAnswer, HelperProcessError.unaskedAnswer: kind.failure(.invalidAnswer)
        case HelperProcessError.timedOut, HelperProcessError.ended(.signalled(SIGXCPU)):
            kind.failure(.timedOut(ConversationLimits(answer: limit, total: limit)))
        case HelperProcessError.ended:
            AnalysisFailure(
                .decoderFailed,
                "The decoder of the stream ended unexpectedly. The stream is likely to be damaged or hostile, or it needs"
                    + " more memory than the limit allows.")
        case let error as HelperProcessError: kind.failure(.unavailable(error))
        default: kind.failure(.invalidAnswer)
        }
    }
}
