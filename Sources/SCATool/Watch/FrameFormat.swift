// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The format of frames without compression that come from standard input.
struct FrameFormat: Sendable, Equatable {
    var width: Int
    var height: Int
    var pixelFormat: VideoPixelFormat
    /// The time between two frames, which frames are not read faster than.
    var interval = Duration.microseconds(33_333)
    /// The rate as Y4M writes it, such as "30:1"; nil for that of the interval.
    var rate: String?

    /// The number of bytes of a frame.
    var byteCount: Int { pixelFormat.byteCount(width: width, height: height) }

    /// Returns the description of a frame over its bytes.
    func pixels(_ storage: any PixelStorage) -> VideoPixels? {
        VideoPixels(packed: storage, format: pixelFormat, width: width, height: height)
    }

    /// - Throws: `AnalysisFailure` if frames cannot have the size.
    func check() throws(AnalysisFailure) {
        guard width > 0, height > 0 else {
            throw AnalysisFailure(
                .unsupportedMedia, "A frame has \(width) × \(height) pixels, and needs one in each direction.")
        }
        guard max(width, height) <= VideoPixels.maximumEdge, width * height <= Self.maximumPixelCount else {
            throw AnalysisFailure(
                .limitExceeded,
                "A frame has \(width) × \(height) pixels; the limits are an edge of \(VideoPixels.maximumEdge) and"
                    + " \(Self.maximumPixelCount) pixels. Scale the video down first.")
        }
    }

    /// The largest frame, in pixels: more than 8K.
    static let maximumPixelCount = 40_000_000

    /// The rate as Y4M writes it.
    var rateText: String { rate ?? "1000000:\(Int(interval / .microseconds(1)))" }

    /// The header of a Y4M stream of frames with this format.
    var header: String {
        "YUV4MPEG2 W\(width) H\(height) F\(rateText) Ip A1:1 C420jpeg"
            + "\(pixelFormat.isFullRange ? " XCOLORRANGE=FULL" : "")\n"
    }
}
