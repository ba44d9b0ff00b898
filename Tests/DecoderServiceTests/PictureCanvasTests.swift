// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import DecoderService
import HelperProtocol
import Testing

@Suite("The memory of a picture that an app displays")
struct PictureCanvasTests {
    /// Returns the memory after rows of made-up pixels were written, and the upright picture by the definition of EXIF.
    private static func written(
        _ orientation: Int, width: Int, height: Int, channelCount: Int, bytesOfBuffer: Int, rows: Int? = nil
    ) throws -> (pixels: [UInt8], expected: [UInt8]) {
        let size = channelCount == 1 ? 3 : channelCount
        let stored = (0..<height).map { y in
            (0..<width).flatMap { x in (0..<channelCount).map { UInt8(truncatingIfNeeded: 31 * x + 7 * y + 3 * $0 + 1) }
            }
        }
        let memory = try PictureMemory(byteCount: width * height * size)
        let writable = try WritablePictureMemory(memory.descriptor, byteCount: width * height * size)
        let canvas = try PictureCanvas(
            writable, width: width, height: height, channelCount: channelCount, orientation: orientation,
            bytesOfBuffer: bytesOfBuffer)
        for row in stored.prefix(rows ?? height) { unsafe canvas.add(row) }
        try canvas.finish()
        let sealed = try memory.sealed()
        let (uprightWidth, uprightHeight) = orientation >= 5 ? (height, width) : (width, height)
        var expected: [UInt8] = []
        for y in 0..<uprightHeight {
            for x in 0..<uprightWidth {
                // Source: EXIF 2.32, tag Orientation, read backwards: the stored pixel at an upright place.
                let (column, row) =
                    switch orientation {
                    case 2: (width - 1 - x, y)
                    case 3: (width - 1 - x, height - 1 - y)
                    case 4: (x, height - 1 - y)
                    case 5: (y, x)
                    case 6: (y, height - 1 - x)
                    case 7: (width - 1 - y, height - 1 - x)
                    case 8: (width - 1 - y, x)
                    default: (x, y)
                    }
                let pixel = stored[row][(column * channelCount)..<((column + 1) * channelCount)]
                expected += channelCount == 1 ? [UInt8](repeating: pixel.first!, count: 3) : Array(pixel)
            }
        }
        return (unsafe sealed.withBytes { unsafe Array($0) }, expected)
    }

    @Test(arguments: 1...8)
    func `Rows are written upright, in any number at once`(orientation: Int) throws {
        for channelCount in [1, 3, 4] {
            for bytesOfBuffer in [1, 100, 1 << 20] {
                for (width, height) in [(5, 7), (1, 4), (6, 1)] {
                    let (pixels, expected) = try Self.written(
                        orientation, width: width, height: height, channelCount: channelCount,
                        bytesOfBuffer: bytesOfBuffer)
                    #expect(
                        pixels == expected, "\(channelCount) channels, \(width) × \(height), \(bytesOfBuffer) bytes")
                }
            }
        }
    }

    @Test func `A picture without all of its rows is an error`() throws {
        for orientation in [1, 3, 6] {
            #expect(throws: DecodingFailure.self) {
                try Self.written(
                    orientation, width: 5, height: 7, channelCount: 3, bytesOfBuffer: 40, rows: 6)
            }
        }
    }

    @Test func `Memory of another size than the picture is refused`() throws {
        let memory = try PictureMemory(byteCount: 100)
        let writable = try WritablePictureMemory(memory.descriptor, byteCount: 100)
        #expect(throws: DecodingFailure.self) {
            try PictureCanvas(writable, width: 5, height: 7, channelCount: 3, orientation: 1)
        }
        #expect(throws: TransportError.self) { try WritablePictureMemory(memory.descriptor, byteCount: 101) }
    }
}
