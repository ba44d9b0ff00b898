// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

extension SCVideoStreamAnalyzer {
    /// An encoded live stream, which is decoded in a closed process apart from the app.
    ///
    /// Pass the bytes of the stream to ``send(_:)``, and display ``pictures``. The package reads none of the bytes in
    /// the app's process. A decoder that fails ends the stream, and the app goes on.
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

        /// A picture of the stream.
        public enum Picture: Sendable {
            /// An upright frame with square pixels.
            case frame(CVPixelBuffer)
            /// A blank picture in the place of a frame of this size, in pixels.
            case blank(width: Int, height: Int)
        }

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

        /// Creates the session of a stream; ``SCVideoStreamAnalyzer/beginAnalysis(of:)`` starts it.
        public init(format: Format = .automatic) {
            backing = DecodingBacking(format.ofCore)
            pictures = backing.pictures
        }

        deinit { backing.end() }

        /// Passes on the next bytes of the stream, and waits while the decoder is behind.
        ///
        /// The bytes may be cut anywhere. They are dropped after the end of the stream or of its analysis.
        ///
        /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` before
        ///   ``SCVideoStreamAnalyzer/beginAnalysis(of:)``.
        public func send(_ bytes: some Collection<UInt8> & Sendable) async throws {
            try await backing.send([UInt8](bytes))
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
