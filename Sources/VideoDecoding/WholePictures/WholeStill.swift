// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import DecoderService
internal import HelperProtocol
internal import ViewerAgreement

/// The picture of a file in a format that only FFmpeg decodes, which the app itself displays.
struct WholeStill {
    private let frame: DecodedFrame
    private let format: MediaFormat

    /// - Throws: an error in the structure of the file, or the failures of the limits.
    init(_ file: InputFile, _ format: MediaFormat, _ limits: AnalysisLimits) throws(DecodingFailure) {
        let bytes = try file.bytes(at: 0, count: file.byteCount)
        let picture = try StillPicture(bytes, format)
        try limits.checkPicture(width: picture.width, height: picture.height, isStreamed: false)
        self.format = format
        frame = try picture.codec.frame(of: bytes, limits)
    }

    /// Decodes the picture into the host's memory.
    ///
    /// - Returns: whether parts of the picture are damaged.
    func write(_ request: WholePictureRequest, to output: WholePictureOutput) throws(DecodingFailure) -> Bool {
        let (width, height) = (frame.width, frame.height)
        let longest = max(width, height)
        guard longest > Int(request.maximumEdge) else {
            let canvas = try canvas(width, height, frame.hasAlpha ? 4 : 3, output)
            try frame.forEachRow { unsafe canvas.add($0) }
            try canvas.finish()
            return frame.isBroken
        }
        let factor = Double(request.maximumEdge) / Double(longest)
        let reducedWidth = max(1, Int((Double(width) * factor).rounded()))
        let reducedHeight = max(1, Int((Double(height) * factor).rounded()))
        let channelCount = frame.hasAlpha ? 4 : 3
        let pixels = try FrameReducer().displayed(
            frame, levels: frame.colorTags.shownLevels, width: reducedWidth, height: reducedHeight)
        let canvas = try canvas(reducedWidth, reducedHeight, channelCount, output)
        for row in 0..<reducedHeight {
            unsafe pixels.withUnsafeBufferPointer {
                unsafe canvas.add($0.baseAddress! + row * reducedWidth * channelCount)
            }
        }
        try canvas.finish()
        return frame.isBroken
    }

    private func canvas(
        _ width: Int, _ height: Int, _ channelCount: Int, _ output: WholePictureOutput
    ) throws(DecodingFailure) -> PictureCanvas {
        let memory = try output.memory(
            for: WholePictureReply(
                format: format, width: width, height: height, hasOpacity: channelCount == 4,
                originalWidth: frame.width, originalHeight: frame.height))
        return try PictureCanvas(memory, width: width, height: height, channelCount: channelCount, orientation: 1)
    }
}
