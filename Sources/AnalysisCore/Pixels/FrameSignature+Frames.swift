// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

extension FrameSignature {
    /// Creates the signature of a frame from its planes: luma and both colours, or red, green, blue and opacity.
    ///
    /// - Returns: nil if memory ran out.
    package init?(_ pixels: VideoPixels) {
        let signature: FrameSignature? = unsafe pixels.withPlanes { memory in
            let planes = unsafe pixels.sampledPlanes(in: memory)
            var signature = FrameSignature(planeCount: unsafe planes.count)
            let areAveraged = unsafe planes.indices.allSatisfy { unsafe signature.average(planes[$0], at: $0) }
            return areAveraged ? signature : nil
        }
        guard let signature else { return nil }
        self = signature
    }
}

extension VideoPixels {
    /// Whether any visible pixel has an opacity below 255.
    var isTransparent: Bool {
        guard format == .bgra || format == .rgba else { return false }
        return unsafe withPlanes { memory in
            (crop.y..<(crop.y + crop.height)).contains { row in
                let start = unsafe memory[0].baseAddress! + row * planes[0].bytesPerRow + crop.x * 4
                return unsafe CPixelLoops_has_opacity_below(
                    start.assumingMemoryBound(to: UInt8.self), crop.width, 255)
            }
        }
    }

    /// Returns the planes of the visible part: luma and both colours, or each colour and opacity.
    func sampledPlanes(in memory: [UnsafeRawBufferPointer]) -> [CPixelLoops_Plane] {
        let part = sampledCrop
        return unsafe memory.indices.flatMap { index in
            let (size, step) = (
                format.size(ofPlane: index, width: part.width, height: part.height),
                format.bytesPerSample(ofPlane: index)
            )
            let start = format.size(ofPlane: index, width: part.x, height: part.y)
            let bytesPerRow = planes[index].bytesPerRow
            let first = unsafe memory[index].baseAddress! + start.height * bytesPerRow + start.width * step
            return unsafe (0..<step).map { channel in
                unsafe CPixelLoops_Plane(
                    data: (first + channel).assumingMemoryBound(to: UInt8.self), bytes_per_row: Int32(bytesPerRow),
                    step: Int32(step), width: Int32(size.width), height: Int32(size.height), bytes: 1, shift: 0,
                    depth: 8)
            }
        }
    }
}
