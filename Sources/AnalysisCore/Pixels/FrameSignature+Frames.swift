// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

extension FrameSignature {
    /// Creates the signature of a frame from its planes: luma and both colours, or red, green, blue and opacity.
    ///
    /// - Returns: nil if memory ran out.
    package init?(_ pixels: VideoPixels) {
        let part = pixels.sampledCrop
        let signature: FrameSignature? = unsafe pixels.withPlanes { memory in
            let planes = unsafe Self.planes(of: pixels, part, in: memory)
            let count = unsafe planes.count
            var averages = [UInt16](repeating: 0, count: count * Self.blockCount)
            var details = averages
            for index in 0..<count {
                var plane = unsafe planes[index]
                let start = index * Self.blockCount
                let isAveraged = unsafe averages.withUnsafeMutableBufferPointer { averages in
                    unsafe details.withUnsafeMutableBufferPointer { details in
                        unsafe CPixelLoops_average_blocks(
                            &plane, Int32(Self.side), averages.baseAddress! + start, details.baseAddress! + start)
                    }
                }
                guard isAveraged else { return nil }
            }
            return FrameSignature(averages: averages, details: details)
        }
        guard let signature else { return nil }
        self = signature
    }

    private static func planes(
        of pixels: VideoPixels, _ part: VideoPixels.Crop, in memory: [UnsafeRawBufferPointer]
    ) -> [CPixelLoops_Plane] {
        let format = pixels.format
        return unsafe memory.indices.flatMap { index in
            let (size, step) = (
                format.size(ofPlane: index, width: part.width, height: part.height),
                format.bytesPerSample(ofPlane: index)
            )
            let start = format.size(ofPlane: index, width: part.x, height: part.y)
            let bytesPerRow = pixels.planes[index].bytesPerRow
            let first = unsafe memory[index].baseAddress! + start.height * bytesPerRow + start.width * step
            return unsafe (0..<step).map { channel in
                unsafe CPixelLoops_Plane(
                    data: (first + channel).assumingMemoryBound(to: UInt8.self), bytes_per_row: Int32(bytesPerRow),
                    step: Int32(step), width: Int32(size.width), height: Int32(size.height), bytes: 1, shift: 0,
                    depth: 8)
            }
        }
    }

    /// How far a frame lies outside all that the judged frames around it show.
    package struct Deviation: Sendable, Equatable {
        /// The largest deviation of a block, in levels of 8 bits.
        package var largest: Double
        /// The mean deviation of all blocks, in levels of 8 bits.
        package var mean: Double

        /// Whether the frame shows nothing that the others do not show; docs/streams.md has the source of the bounds.
        package var isHarmless: Bool { largest < 6 && mean < 0.25 }
    }

    /// Returns the deviation from one judged frame or from two, before and after this frame; nil if sizes differ.
    ///
    /// Blocks of a moving edge lie between their levels before and after. All other blocks keep their level.
    package func deviation(from earlier: FrameSignature, and later: FrameSignature?) -> Deviation? {
        let later = later ?? earlier
        let counts = [averages.count, details.count]
        guard counts == [earlier.averages.count, earlier.details.count],
            counts == [later.averages.count, later.details.count], !averages.isEmpty
        else { return nil }
        let levels = unsafe CPixelLoops_deviation(
            averages, earlier.averages, later.averages, averages.count, Self.tolerance)
        let edges = unsafe CPixelLoops_deviation(details, earlier.details, later.details, details.count, Self.tolerance)
        return Deviation(
            largest: Double(max(levels.largest, edges.largest)) / 64,
            mean: Double(levels.sum) / Double(averages.count) / 64)
    }

    /// The difference of a block, in 1/64 of a level, that encoders and the noise of cameras cause.
    private static let tolerance: UInt16 = 2 * 64
}
