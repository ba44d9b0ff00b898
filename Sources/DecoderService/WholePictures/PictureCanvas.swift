// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CPixelLoops
package import HelperProtocol

/// The upright picture in the host's memory, which is filled row by row of the picture as stored.
///
/// Rows of a picture that is turned by a quarter are columns of the upright one, so all of them wait for the last.
@safe
package final class PictureCanvas {
    private let memory: WritablePictureMemory
    private let width: Int
    private let height: Int
    private let channelCount: Int
    /// The distances from a pixel of the buffer to the next one and to that of the next row, in bytes.
    private let step: Int
    private let rowStep: Int
    /// The place of the first pixel of the first row that waits, in the buffer.
    private let start: Int
    /// The rows that wait to be written.
    private var buffer: [UInt8]
    private let rowsOfBuffer: Int
    private var waitingRows = 0
    /// The number of rows that were written.
    private var position = 0
    private var failure: (any Error)?
    /// Whether the rows are stored from the last one on.
    private let isReversed: Bool

    /// - Parameters:
    ///   - memory: memory for all pixels of the upright picture, in rows without padding.
    ///   - width: the width of the picture as stored, in pixels.
    ///   - height: the height of the picture as stored, in pixels.
    ///   - channelCount: the number of bytes of a pixel as stored: 1 for grey, 3, or 4 with opacity.
    ///   - orientation: the EXIF orientation, from 1 to 8.
    ///   - bytesOfBuffer: the size of the rows that are written at once, unless the picture is turned by a quarter.
    /// - Throws: `internalError` if the memory is not for this picture.
    package init(
        _ memory: WritablePictureMemory, width: Int, height: Int, channelCount: Int, orientation: Int,
        bytesOfBuffer: Int = 1 << 20
    ) throws(DecodingFailure) {
        self.memory = memory
        (self.width, self.height, self.channelCount) = (width, height, channelCount)
        let size = channelCount == 1 ? 3 : channelCount
        guard [1, 3, 4].contains(channelCount), memory.byteCount == width * height * size else {
            throw DecodingFailure(.internalError, detail: "memory of another size than the picture")
        }
        let isTurned = orientation >= 5
        isReversed = orientation == 3 || orientation == 4
        rowsOfBuffer = isTurned ? height : min(height, max(1, bytesOfBuffer / (width * size)))
        let row = (isTurned ? height : width) * size
        let (lastX, lastRow) = ((width - 1) * size, rowsOfBuffer - 1)
        // Source: EXIF 2.32, tag Orientation.
        (start, step, rowStep) =
            switch orientation {
            case 2: (lastX, -size, row)
            case 3: (lastRow * row + lastX, -size, -row)
            case 4: (lastRow * row, size, -row)
            case 5: (0, row, size)
            case 6: (lastRow * size, row, -size)
            case 7: ((width - 1) * row + lastRow * size, -row, -size)
            case 8: ((width - 1) * row, -row, size)
            default: (0, size, row)
            }
        buffer = [UInt8](repeating: 0, count: rowsOfBuffer * width * size)
    }

    /// Adds the next row; rows behind the last one are ignored.
    package func add(_ row: UnsafePointer<UInt8>) {
        guard position + waitingRows < height, failure == nil else { return }
        unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            unsafe CPixelLoops_place_row(
                row, Int32(width), Int32(channelCount), buffer.baseAddress! + start + waitingRows * rowStep, step)
        }
        waitingRows += 1
        if waitingRows == rowsOfBuffer { writeRows() }
    }

    /// Writes the rows that wait.
    ///
    /// - Throws: `malformed` if rows are missing, `outOfMemory` if the system has no memory for them.
    package func finish() throws(DecodingFailure) {
        writeRows()
        if let failure { throw DecodingFailure(.outOfMemory, detail: "\(failure)") }
        guard position == height else { throw DecodingFailure(.malformed, detail: "rows are missing") }
    }

    private func writeRows() {
        guard waitingRows > 0 else { return }
        let rowSize = buffer.count / rowsOfBuffer
        let count = waitingRows * rowSize
        // In a reversed buffer, the first row stands last.
        let first = isReversed ? buffer.count - count : 0
        let place = isReversed ? memory.byteCount - position * rowSize - count : position * rowSize
        do {
            try unsafe buffer.withUnsafeBytes { bytes in
                let rows = unsafe UnsafeRawBufferPointer(rebasing: bytes[first..<(first + count)])
                try unsafe memory.write(rows, at: place)
            }
        } catch {
            failure = error
        }
        position += waitingRows
        waitingRows = 0
    }
}
