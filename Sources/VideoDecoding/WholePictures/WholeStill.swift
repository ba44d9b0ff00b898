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
        let views = try FrameReducer().views(
            of: frame, tags: [frame.colorTags], width: reducedWidth, height: reducedHeight)
        let hasOpacity = frame.hasAlpha && views.count > 1
        let pixels = hasOpacity ? Self.withOpacity(overWhite: views[0], overBlack: views[1]) : views[0]
        let channelCount = hasOpacity ? 4 : 3
        let canvas = try canvas(reducedWidth, reducedHeight, channelCount, output)
        for row in 0..<reducedHeight {
            unsafe pixels.withUnsafeBufferPointer {
                unsafe canvas.add($0.baseAddress! + row * reducedWidth * channelCount)
            }
        }
        try canvas.finish()
        return frame.isBroken
    }

    /// Returns the pixels with opacity that look like two views over white and over black.
    private static func withOpacity(overWhite white: [UInt8], overBlack black: [UInt8]) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(white.count / 3 * 4)
        for start in stride(from: 0, to: white.count, by: 3) {
            // Rounding makes the channels differ by one.
            let opacity = (0..<3).map { 255 - max(0, Int(white[start + $0]) - Int(black[start + $0])) }.max() ?? 255
            for channel in 0..<3 {
                let level = Int(black[start + channel]) * 255 + opacity / 2
                pixels.append(UInt8(min(255, opacity == 0 ? 0 : level / opacity)))
            }
            pixels.append(UInt8(opacity))
        }
        return pixels
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
