// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

/// The grids of averages of a frame's planes, by which nearly identical frames are recognised.
package struct FrameSignature: Sendable, Equatable {
    /// The averages of all planes, one grid after the other, in 1/64 of a level of 8 bits.
    package private(set) var averages: [UInt16]
    /// The mean differences between neighbouring samples in each block, by which a mosaic differs from its original.
    ///
    /// Each plane has two grids: the differences along its rows, and those along its columns.
    package private(set) var details: [UInt16]

    package init(averages: [UInt16], details: [UInt16] = []) {
        self.averages = averages
        self.details = details
    }

    /// The number of blocks along each edge of a plane.
    package static let side = 32
    /// The number of blocks of a plane.
    package static let blockCount = side * side

    /// Creates the signature of a picture from all its views.
    ///
    /// - Parameter views: 8-bit RGB pixels without padding, `width` × `height` in each view.
    /// - Returns: nil if memory ran out, the picture has no pixels or too many, or a view has another size.
    package init?(views: [[UInt8]], width: Int, height: Int) {
        let bands = PixelImage.bytesPerPixel
        guard let width = Int32(exactly: width), let height = Int32(exactly: height), width > 0, height > 0,
            views.allSatisfy({ $0.count == Int(width) * Int(height) * bands })
        else { return nil }
        self.init(planeCount: views.count * bands)
        for index in 0..<(views.count * bands) {
            let isAveraged = unsafe views[index / bands].withUnsafeBufferPointer { pixels in
                unsafe average(
                    CPixelLoops_Plane(
                        data: pixels.baseAddress! + index % bands, bytes_per_row: width * Int32(bands),
                        step: Int32(bands), width: width, height: height, bytes: 1, shift: 0, depth: 8), at: index)
            }
            guard isAveraged else { return nil }
        }
    }

    /// Creates the signature of planes that are averaged one by one.
    init(planeCount: Int) {
        averages = [UInt16](repeating: 0, count: planeCount * Self.blockCount)
        details = averages + averages
    }

    /// Sets the averages and the details of a plane.
    ///
    /// - Returns: false if memory ran out.
    mutating func average(_ plane: CPixelLoops_Plane, at index: Int) -> Bool {
        let (start, side) = (index * Self.blockCount, Int32(Self.side))
        return unsafe averages.withUnsafeMutableBufferPointer { averages in
            unsafe details.withUnsafeMutableBufferPointer { details in
                unsafe withUnsafePointer(to: plane) { plane in
                    unsafe CPixelLoops_average_blocks(
                        plane, side, side, averages.baseAddress! + start, details.baseAddress! + 2 * start)
                }
            }
        }
    }

    /// The difference between two frames.
    package struct Difference: Sendable, Equatable {
        /// The largest difference of a block, in levels of 8 bits.
        package var largest: Double
        /// The mean difference of all blocks, in levels of 8 bits.
        package var mean: Double
        /// The share of blocks that differ by `change` or more.
        package var changedShare: Double

        /// Whether the difference is too small to change the scores.
        ///
        /// Encoders change the blocks of a still picture by a level or less. A picture over another picture, at an
        /// opacity of a few per cent, changes some blocks by more.
        package var isNegligible: Bool { largest < 2 }
        /// Whether a block shows other content.
        package var hasChangedBlock: Bool { largest >= Self.change }
        /// Whether the frame shows another scene, not the same scene with a little motion.
        package var isAnotherScene: Bool { mean > 10 }
        /// Whether a part of the frame shows other content: about an eighth of the frame, if only brightness differs.
        package var isAnotherPart: Bool { changedShare >= 1.0 / 24 }
        /// Whether another scene or another part begins between the pictures.
        package var isCut: Bool { isAnotherScene || isAnotherPart }

        /// The least difference of a block with other content, in levels of 8 bits.
        fileprivate static let change = 24.0
    }

    /// Returns the difference, or nil if the frames have different planes or none.
    package func difference(to other: FrameSignature) -> Difference? {
        guard averages.count == other.averages.count, details.count == other.details.count, !averages.isEmpty else {
            return nil
        }
        let found = unsafe CPixelLoops_compare_signatures(
            averages, other.averages, averages.count, details, other.details, details.count,
            UInt16(Difference.change * 64))
        let count = Double(averages.count)
        return Difference(
            largest: Double(found.largest) / 64, mean: Double(found.sum) / count / 64,
            changedShare: Double(found.changed_count) / count)
    }
}
