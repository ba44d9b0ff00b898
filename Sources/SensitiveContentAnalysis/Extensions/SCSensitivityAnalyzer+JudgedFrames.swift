// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if !canImport(CoreGraphics)
extension SCSensitivityAnalyzer {
    /// The frames of an animation or a short video, each of which was judged, for display by the app.
    ///
    /// It is a sequence that can be read any number of times, each time from the first frame on.
    public struct JudgedFrames: AsyncSequence, Sendable {
        /// The verdict on all frames together.
        public let analysis: SCSensitivityAnalysis
        /// The size of the first frame in pixels, upright.
        public let size: (width: Int, height: Int)
        /// The number of frames; a file of one picture has one.
        public let count: Int
        /// The length of all frames together; nil for a picture.
        public let duration: Duration?
        /// How often an animation is shown; 0 means without end, and videos and pictures have 1.
        public let loopCount: Int
        /// Whether frames or parts of frames are missing, because the file is damaged or incomplete.
        public let isDamaged: Bool
        let makeReader: @Sendable () -> FrameReader

        /// Starts at the first frame.
        public func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

        /// Reads the frames, which are decoded as they are asked for.
        public struct Iterator: AsyncIteratorProtocol {
            let reader: FrameReader

            /// Returns the next frame; nil behind the last one.
            ///
            /// - Throws: ``SensitivityAnalysisError`` or `CancellationError`. The code is `sensitiveMedia` if the file has
            ///   changed since it was judged and shows something sensitive now.
            public mutating func next() async throws -> JudgedFrame? { try await reader.next() }
        }
    }

    /// A frame that was judged, or that looks the same as one that was judged.
    public struct JudgedFrame: Sendable {
        /// The upright frame in sRGB, as ``CGImage/PixelFormat/rgb24``, or as ``CGImage/PixelFormat/rgba32`` with opacity.
        public let image: CGImage
        /// The moment at which the frame appears.
        public let time: Duration
        /// The time for which the frame is shown.
        public let duration: Duration
    }

    /// Decodes an animation or a short video in the sandbox, and judges every frame that it returns.
    ///
    /// ```swift
    /// do {
    ///     let frames = try await analyzer.judgedFrames(of: fileURL, maximumPixelSize: 640)
    ///     if frames.analysis.isSensitive { view.cover("This may be sensitive.") }
    ///     for try await frame in frames where !frames.analysis.isSensitive {
    ///         view.show(frame.image)
    ///         try await Task.sleep(for: frame.duration)
    ///     }
    /// } catch {
    ///     view.cover("This could not be checked. \(error.localizedDescription)")
    /// }
    /// ```
    ///
    /// Show these frames, and not the file. A frame is judged, or it looks the same as the last judged one by the rule of
    /// the gate of live streams. Of a video, these are the frames of the first video track, without sound; opacity is
    /// kept. Frames of up to 64 MiB together are kept in memory, and others are decoded again whenever they are read.
    ///
    /// Not in Apple's framework.
    ///
    /// - Parameters:
    ///   - fileURL: a local file. A remote URL throws `invalidArgument`: download it first.
    ///   - maximumPixelSize: the longest edge of the frames in pixels; nil for the full size.
    ///   - maximumDuration: the longest video; a longer one throws `limitExceeded`, because every frame takes time.
    /// - Throws: ``SensitivityAnalysisError`` if the file could not be analysed, or `CancellationError`. Under the policy
    ///   ``SCSensitivityAnalysisPolicy/disabled``, the code is `analysisDisabled`.
    nonisolated(nonsending) public func judgedFrames(
        of fileURL: URL, maximumPixelSize: Int? = nil, maximumDuration: Duration = .seconds(60)
    ) async throws -> JudgedFrames {
        try ForkCheck.pass()
        return try await backing.judgedFrames(maximumPixelSize, maximumDuration) { _ in
            try AnalyzerBacking.openInput(fileURL)
        }
    }

    /// Decodes an animation or a short video in memory, and judges every frame that it returns.
    ///
    /// ```swift
    /// do {
    ///     let sticker = try await analyzer.judgedFrames(of: data, maximumPixelSize: 256)
    ///     for try await frame in sticker where !sticker.analysis.isSensitive { view.show(frame.image) }
    /// } catch {
    ///     view.cover("This could not be checked. \(error.localizedDescription)")
    /// }
    /// ```
    ///
    /// Not in Apple's framework.
    ///
    /// - Parameters:
    ///   - data: the content of a file.
    ///   - maximumPixelSize: the longest edge of the frames in pixels; nil for the full size.
    ///   - maximumDuration: the longest video; a longer one throws `limitExceeded`.
    /// - Throws: ``SensitivityAnalysisError`` if the data could not be analysed, or `CancellationError`. Under the policy
    ///   ``SCSensitivityAnalysisPolicy/disabled``, the code is `analysisDisabled`.
    nonisolated(nonsending) public func judgedFrames(
        of data: Data, maximumPixelSize: Int? = nil, maximumDuration: Duration = .seconds(60)
    ) async throws -> JudgedFrames {
        try ForkCheck.pass()
        return try await backing.judgedFrames(maximumPixelSize, maximumDuration) { limits in
            try AnalyzerBacking.input(data, limits)
        }
    }
}
#endif
