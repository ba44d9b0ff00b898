// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

extension SCVideoStreamAnalyzer {
    /// A picture to display, of a stream that the package decodes or captures.
    ///
    /// Not in Apple's framework. A picture is blank after a finding, and with a gate also if it was not judged;
    /// ``SCVideoStreamAnalyzer/states`` says which.
    public enum Picture: Sendable {
        /// An upright frame with square pixels.
        case frame(CVPixelBuffer)
        /// A blank picture in the place of a frame of this size, in pixels.
        case blank(width: Int, height: Int)
    }

    /// An encoded live stream, which is decoded in a closed process apart from the app.
    ///
    /// ```swift
    /// let session = SCVideoStreamAnalyzer.DecodingSession(format: .transportStream)
    /// do {
    ///     // With a gate, no picture is displayed before it was judged.
    ///     _ = try streamAnalyzer.gate()
    ///     try streamAnalyzer.beginAnalysis(of: session)
    ///     Task { for await picture in session.pictures { view.display(picture) } }
    ///     while let bytes = try await connection.receive() { try await session.send(bytes) }
    ///     session.finish()
    /// } catch {
    ///     streamAnalyzer.endAnalysis()
    ///     view.cover("The stream has ended. \(error.localizedDescription)")
    /// }
    /// ```
    ///
    /// Pass the bytes of the stream to ``send(_:)``, and display ``pictures``. Packets of a codec and datagrams of RTP have
    /// initializers and methods of their own. The package reads none of the bytes in the app's process. A decoder that
    /// fails ends the stream, and the app goes on.
    ///
    /// Not in Apple's framework, whose analyzer attaches to a `VTDecompressionSession` instead.
    public final class DecodingSession: Sendable {
        /// The pictures to display, each as soon as it is decoded; nil after the end of the stream.
        ///
        /// Iterate over it once; a slow view gets the newest picture only. After a finding, pictures are blank until
        /// ``SCVideoStreamAnalyzer/continueStream()``. If the analyzer has a gate, the pictures are those of the gate, so
        /// that no picture is displayed before it was judged.
        public let pictures: AsyncStream<Picture>

        let backing: DecodingBacking

        /// The format of a stream.
        public enum Format: Sendable, Hashable, CaseIterable {
            /// One of the other formats, found by the first bytes.
            case automatic
            /// MPEG transport streams, which may be joined anywhere.
            case transportStream
            /// Matroska and WebM.
            case matroska
            /// Flash video, as RTMP carries it.
            case flv
            /// MP4 in fragments, or with its index first.
            case mp4
            /// Ogg with Theora.
            case ogg
            /// JPEG pictures as parts of a multipart message, as many cameras send them.
            case multipartJPEG
            /// H.264 units behind start codes (Annex B), which may be joined anywhere.
            case h264
            /// HEVC units behind start codes (Annex B), which may be joined anywhere.
            case hevc
            /// VP8, VP9, AV1, H.264 or HEVC packets behind headers of IVF.
            case ivf
            /// 8-bit frames without compression behind a header of text.
            case y4m
        }

        /// Creates the session of a stream; `beginAnalysis(of:)` starts it.
        public init(format: Format = .automatic) {
            backing = DecodingBacking(format.ofCore)
            pictures = backing.output.pictures
        }

        /// Creates the session of a stream whose packets come without a container.
        ///
        /// ```swift
        /// let session = SCVideoStreamAnalyzer.DecodingSession(packetsOf: .vp8)
        /// do {
        ///     _ = try streamAnalyzer.gate()
        ///     try streamAnalyzer.beginAnalysis(of: session)
        ///     Task { for await picture in session.pictures { view.display(picture) } }
        ///     for await packet in call.packets { try await session.send(packet: packet.bytes, at: packet.time) }
        ///     session.finish()
        /// } catch {
        ///     streamAnalyzer.endAnalysis()
        ///     view.cover("The stream has ended. \(error.localizedDescription)")
        /// }
        /// ```
        public init(packetsOf codec: Codec) {
            backing = DecodingBacking(.packets, .packets(codec: codec.code))
            pictures = backing.output.pictures
        }

        /// Creates the session of a stream that comes in datagrams of RTP.
        ///
        /// ```swift
        /// let session = SCVideoStreamAnalyzer.DecodingSession(sessionDescription: call.sessionDescription)
        /// do {
        ///     _ = try streamAnalyzer.gate()
        ///     try streamAnalyzer.beginAnalysis(of: session)
        ///     Task { for await picture in session.pictures { view.display(picture) } }
        ///     while let datagram = try await connection.receive() { try await session.send(datagram: datagram) }
        ///     session.finish()
        /// } catch {
        ///     streamAnalyzer.endAnalysis()
        ///     view.cover("The stream has ended. \(error.localizedDescription)")
        /// }
        /// ```
        ///
        /// The first video of the description is decoded, in the first of its payload types: H.264, HEVC, VP8, VP9, JPEG, MPEG
        /// video or a transport stream. Addresses, keys and sound are not used, and nothing is sent. Decrypt the datagrams
        /// of SRTP before.
        ///
        /// - Parameter sessionDescription: the description of the session (SDP), of 8 KiB at most.
        public init(sessionDescription: String) {
            backing = DecodingBacking(.datagrams, .datagrams(description: Array(sessionDescription.utf8)))
            pictures = backing.output.pictures
        }

        /// A codec whose packets come without a container.
        public enum Codec: Sendable, Hashable, CaseIterable {
            /// H.264 units behind start codes (Annex B), one picture a packet.
            case h264
            /// HEVC units behind start codes (Annex B), one picture a packet.
            case hevc
            case vp8
            case vp9
            case av1
            /// JPEG pictures, as many cameras give them.
            case jpeg
        }

        deinit { backing.end() }

        /// Passes on the next bytes of the stream, and waits while the decoder is behind.
        ///
        /// The bytes may be cut anywhere. They are dropped after the end of the stream or of its analysis.
        ///
        /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` before
        ///   `beginAnalysis(of:)`.
        public func send(_ bytes: some Collection<UInt8> & Sendable) async throws {
            try await backing.send([UInt8](bytes))
        }

        /// Passes on the next packet of a session of packets, and waits while the decoder is behind.
        ///
        /// - Parameters:
        ///   - packet: the bytes of the packet, with one picture.
        ///   - time: the time of the picture since the beginning of the stream, or since any other moment.
        /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` before
        ///   `beginAnalysis(of:)`, in another session, or for an empty packet or a negative time.
        public func send(packet: some Collection<UInt8> & Sendable, at time: Duration) async throws {
            guard time >= .zero, time < .seconds(1 << 32) else {
                throw SensitivityAnalysisError(
                    .invalidArgument, message: "The time of a packet is not negative, and less than 2^32 seconds.")
            }
            try await backing.send(packet: [UInt8](packet), time: UInt64(time / .microseconds(1)))
        }

        /// Passes on the next datagram of RTP or RTCP, and waits while the decoder is behind.
        ///
        /// Pass datagrams on as they come, in any order. A picture of which datagrams were lost is displayed as well as it
        /// can be decoded, or not at all.
        ///
        /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` before
        ///   `beginAnalysis(of:)`, in another session, or for an empty datagram.
        public func send(datagram: some Collection<UInt8> & Sendable) async throws {
            try await backing.send(datagram: [UInt8](datagram))
        }

        /// Ends the stream behind the bytes that were sent; its last pictures are still displayed.
        public func finish() { backing.finish() }
    }

    /// Analyses all frames of an encoded live stream.
    ///
    /// A further call ends the analysis of the session before it, with its gate. ``endAnalysis()`` ends the session, and a
    /// stream that cannot be decoded ends ``analysisChanges`` with the error.
    ///
    /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` if the session has begun already, or
    ///   `decoderUnavailable` if the decoder is missing.
    public func beginAnalysis(of session: DecodingSession) throws { try backing.begin(session.backing) }
}

extension SCVideoStreamAnalyzer.DecodingSession.Codec {
    /// The code by which IVF names the codec.
    var code: String {
        switch self {
        case .h264: "H264"
        case .hevc: "HEVC"
        case .vp8: "VP80"
        case .vp9: "VP90"
        case .av1: "AV01"
        case .jpeg: "MJPG"
        }
    }
}

extension SCVideoStreamAnalyzer.DecodingSession.Format {
    var ofCore: StreamFormat {
        switch self {
        case .automatic: .automatic
        case .transportStream: .transportStream
        case .matroska: .matroska
        case .flv: .flv
        case .mp4: .mp4
        case .ogg: .ogg
        case .multipartJPEG: .multipartJPEG
        case .h264: .h264
        case .hevc: .hevc
        case .ivf: .packets
        case .y4m: .y4m
        }
    }
}
