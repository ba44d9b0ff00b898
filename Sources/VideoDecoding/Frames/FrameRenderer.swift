// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import DecoderService
internal import HelperProtocol

/// Turns frames into reduced, upright RGB pictures.
final class FrameRenderer {
    private let reducer: FrameReducer
    private let rotation: Int
    private let tags: ColorTags
    private let request: ImageRequest
    private var searchBudget = SearchBudget()
    /// Whether other programs may show a frame in other colours, or cut off other edges of it.
    private(set) var hasDisagreement: Bool

    /// - Throws: `outOfMemory`.
    convenience init(_ stream: VideoStream, _ request: ImageRequest) throws(DecodingFailure) {
        try self.init(stream.colorTags, rotation: stream.rotation, request)
    }

    /// - Parameters:
    ///   - tags: the colour tags of the container.
    ///   - rotation: the clockwise rotation that makes frames upright, as `VideoStream` has it.
    /// - Throws: `outOfMemory`.
    init(_ tags: ColorTags, rotation: Int, _ request: ImageRequest) throws(DecodingFailure) {
        self.rotation = rotation
        self.tags = tags
        hasDisagreement = tags.hasDisagreement
        self.request = request
        reducer = try FrameReducer()
    }

    /// Returns the reduced picture of a frame, without a search for test patterns.
    ///
    /// - Throws: `malformed`, `edgeTooLong` or `tooManyPixels` for the size of the frame, which may differ from the size
    ///   of the track; `unsupportedVariant`, `outOfMemory`.
    func reducedPicture(of frame: DecodedFrame) throws(DecodingFailure) -> RenderedPicture {
        let shown = frame.sizeWithSquarePixels
        try request.limits.checkPicture(width: shown.width, height: shown.height, isStreamed: false)
        let minimumWidth = Self.samplesPerSide * max(1, Int(request.minimumWidth))
        let minimumHeight = Self.samplesPerSide * max(1, Int(request.minimumHeight))
        let horizontal = max(1, shown.width / (isTurned ? minimumHeight : minimumWidth))
        let vertical = max(1, shown.height / (isTurned ? minimumWidth : minimumHeight))
        return try picture(of: frame, shown, (horizontal, vertical))
    }

    /// Returns the picture of a frame for the host.
    ///
    /// - Parameter reduced: the reduced picture, if it has been made already.
    /// - Throws: as `reducedPicture(of:)`, and `internalError` if the search for test patterns fails.
    func picture(of frame: DecodedFrame, reduced: RenderedPicture? = nil) throws(DecodingFailure) -> RenderedPicture {
        var rendered = if let reduced { reduced } else { try reducedPicture(of: frame) }
        if request.findsTestPatterns {
            // This leaves enough pixels to read a code of a fifth of the shorter side.
            let shown = frame.sizeWithSquarePixels
            let factor = TestPatternScanner.reduction(width: shown.width, height: shown.height)
            let large = try picture(of: frame, shown, (factor, factor))
            rendered.testPatterns = try large.foundTestPatterns(&searchBudget)
        }
        return rendered
    }

    private var isTurned: Bool { rotation % 180 == 90 }

    private func picture(
        of frame: DecodedFrame, _ shown: (width: Int, height: Int), _ factors: (horizontal: Int, vertical: Int)
    ) throws(DecodingFailure) -> RenderedPicture {
        let (width, height) = (max(1, shown.width / factors.horizontal), max(1, shown.height / factors.vertical))
        let known: Set = [tags, frame.colorTags]
        if known.contains(where: \.hasDisagreement) || frame.isCutAtStart { hasDisagreement = true }
        let views = try reducer.views(of: frame, tags: known, width: width, height: height)
            .map { Turning.upright($0, width: width, height: height, rotation: rotation) }
        return RenderedPicture(
            views: views, width: isTurned ? height : width, height: isTurned ? width : height,
            originalWidth: isTurned ? shown.height : shown.width, originalHeight: isTurned ? shown.width : shown.height)
    }

    /// The least number of pixels for each pixel that the model needs, along each side; pictures inside the frame need them.
    private static let samplesPerSide = 2
}
