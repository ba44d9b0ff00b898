// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Frames whose samples a test chooses one by one, encoded without loss.
package struct RawFrames {
    package let width: Int
    package let height: Int
    /// FFmpeg's name of the pixel format.
    package let format: String
    /// The number of pixels that share chroma samples, in each direction.
    package let shared: (x: Int, y: Int)
    package let depth: Int
    package let isFullRange: Bool

    package init(
        _ width: Int, _ height: Int, format: String, shared: (x: Int, y: Int), depth: Int = 8, isFullRange: Bool = true
    ) {
        self.width = width
        self.height = height
        self.format = format
        self.shared = shared
        self.depth = depth
        self.isFullRange = isFullRange
    }

    /// The luma and the two chroma levels, in levels of 8 bits; chroma is 128 for grey.
    package typealias Levels = (luma: Double, blue: Double, red: Double)

    /// Returns a frame; the closure returns the levels at a position, in pixels.
    package func frame(_ levels: (_ x: Int, _ y: Int) -> Levels) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3 * (depth > 8 ? 2 : 1))
        for plane in 0..<3 {
            let (stepX, stepY) = plane == 0 ? (1, 1) : (shared.x, shared.y)
            for y in stride(from: 0, to: height, by: stepY) {
                for x in stride(from: 0, to: width, by: stepX) {
                    let all = levels(x, y)
                    let level = plane == 0 ? all.luma : plane == 1 ? all.blue : all.red
                    let sample = Int((level * Double(1 << (depth - 8))).rounded())
                    bytes.append(UInt8(truncatingIfNeeded: sample))
                    if depth > 8 { bytes.append(UInt8(truncatingIfNeeded: sample >> 8)) }
                }
            }
        }
        return Data(bytes)
    }

    /// Writes a video in which each frame is shown for `count` fifths of a second.
    package func write(_ frames: [(data: Data, count: Int)], to file: URL) async throws {
        let raw = file.appendingPathExtension("yuv")
        // The frames are written one by one, because the whole file would take much memory.
        try Data().write(to: raw)
        let handle = try FileHandle(forWritingTo: raw)
        for (data, count) in frames { for _ in 0..<count { try handle.write(contentsOf: data) } }
        try handle.close()
        let range = ["-color_range", isFullRange ? "pc" : "tv"]
        try await TestVideo.make(
            file,
            ["-f", "rawvideo", "-pix_fmt", format, "-s", "\(width)x\(height)", "-r", "5"] + range
                + ["-i", raw.path, "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-pix_fmt", format] + range)
        try FileManager.default.removeItem(at: raw)
    }

    /// Returns red, green and blue levels, clipped to their range, by the matrix that decoders use for this size.
    ///
    /// Source: ITU-R BT.709, sections 3.2 to 3.4.
    package func color(_ levels: Levels) -> [Double] {
        let (scale, gain, black) = isFullRange ? (1.0, 1.0, 0.0) : (255.0 / 219, 255.0 / 224, 16.0)
        let (luma, blue, red) = ((levels.luma - black) * scale, (levels.blue - 128) * gain, (levels.red - 128) * gain)
        return [luma + 1.5748 * red, luma - 0.1873 * blue - 0.4681 * red, luma + 1.8556 * blue]
            .map { max(0, min(255, $0)) }
    }

    /// Returns the luma and chroma levels of a colour.
    package func levels(_ color: [Double]) -> Levels {
        let (scale, gain, black) = isFullRange ? (1.0, 1.0, 0.0) : (219.0 / 255, 224.0 / 255, 16.0)
        let luma = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
        return (
            luma * scale + black, (color[2] - luma) / 1.8556 * gain + 128, (color[0] - luma) / 1.5748 * gain + 128
        )
    }
}
