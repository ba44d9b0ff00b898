// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import DecoderService
internal import HelperProtocol

/// A frame of a video as players show it: upright, with square pixels, and with interpolated colours.
struct DisplayedFrame {
    private let frame: DecodedFrame
    private let stream: VideoStream
    private let reducer: FrameReducer
    private let format: MediaFormat

    init(_ frame: DecodedFrame, _ stream: VideoStream, _ reducer: FrameReducer, _ format: MediaFormat) {
        (self.frame, self.stream, self.reducer, self.format) = (frame, stream, reducer, format)
    }

    /// Writes the pixels into the host's memory, reduced if the app wants fewer.
    func write(_ request: WholePictureRequest, to output: WholePictureOutput) throws(DecodingFailure) {
        let shown = size
        try request.limits.checkPicture(width: shown.width, height: shown.height, isStreamed: false)
        let longest = max(shown.width, shown.height)
        let factor = min(1, Double(request.maximumEdge) / Double(longest))
        let width = max(1, Int((Double(shown.width) * factor).rounded()))
        let height = max(1, Int((Double(shown.height) * factor).rounded()))
        let orientation = Self.orientation(rotation: frame.statedRotation ?? stream.rotation)
        let isTurned = orientation >= 5
        let channelCount = frame.hasAlpha ? 4 : 3
        let memory = try output.memory(
            for: WholePictureReply(
                format: format, width: isTurned ? height : width, height: isTurned ? width : height,
                hasOpacity: frame.hasAlpha, originalWidth: isTurned ? shown.height : shown.width,
                originalHeight: isTurned ? shown.width : shown.height))
        let canvas = try PictureCanvas(
            memory, width: width, height: height, channelCount: channelCount, orientation: orientation)
        let pixels = try reducer.displayed(
            frame, levels: frame.colorTags.shownLevels ?? stream.colorTags.shownLevels, width: width, height: height)
        for row in 0..<height {
            unsafe pixels.withUnsafeBufferPointer {
                unsafe canvas.add($0.baseAddress! + row * width * channelCount)
            }
        }
        try canvas.finish()
    }

    /// The size before the frame is turned; pixels that are not square are made so by reducing the longer edge.
    private var size: (width: Int, height: Int) {
        let (width, height) = frame.sizeWithSquarePixels
        guard width > frame.width || height > frame.height else { return (width, height) }
        return width > frame.width
            ? (frame.width, max(1, frame.height * frame.width / width))
            : (max(1, frame.width * frame.height / height), frame.height)
    }

    /// Returns the EXIF orientation for a rotation as `VideoStream` has it: degrees clockwise, plus 360 for a mirror.
    private static func orientation(rotation: Int) -> Int {
        switch rotation {
        case 90: 6
        case 180: 3
        case 270: 8
        case 360: 2
        case 450: 5
        case 540: 4
        case 630: 7
        default: 1
        }
    }
}
