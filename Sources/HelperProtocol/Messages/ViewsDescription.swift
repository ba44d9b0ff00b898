// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The shape of views that lie one after the other in the pixel memory.
package struct ViewsDescription: Sendable, Equatable {
    package var pixels: PixelDescription
    package var count: UInt8
    /// The size of the picture before a decoder reduced it, in pixels.
    package var originalWidth: UInt32
    package var originalHeight: UInt32

    package init(pixels: PixelDescription, count: UInt8, originalWidth: UInt32, originalHeight: UInt32) {
        (self.pixels, self.count) = (pixels, count)
        (self.originalWidth, self.originalHeight) = (originalWidth, originalHeight)
    }

    func write(to writer: inout ByteWriter) {
        pixels.write(to: &writer)
        writer.write(count)
        writer.write(originalWidth)
        writer.write(originalHeight)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        pixels = try PixelDescription(from: &reader)
        count = try reader.read()
        originalWidth = try reader.read()
        originalHeight = try reader.read()
        guard originalWidth >= pixels.width, originalHeight >= pixels.height else { throw .valueOutOfRange }
    }
}

extension PixelLayout {
    func write(to writer: inout ByteWriter) {
        writer.write(UInt32(clamping: width))
        writer.write(UInt32(clamping: height))
        writer.write(UInt64(bytesPerRow))
        writer.write(format.rawValue)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        let (width, height) = (Int(try reader.read(UInt32.self)), Int(try reader.read(UInt32.self)))
        guard let bytesPerRow = Int(exactly: try reader.read(UInt64.self)),
            let format = PixelFormat(rawValue: try reader.read()),
            let layout = PixelLayout(width: width, height: height, bytesPerRow: bytesPerRow, format: format)
        else { throw .valueOutOfRange }
        self = layout
    }
}

extension ByteWriter {
    /// Writes the number of views, the number of scores of each view, and the scores.
    mutating func write(scores: [[Float]]) {
        write(UInt8(clamping: scores.count))
        write(UInt8(clamping: scores.first?.count ?? 0))
        for score in scores.joined() { write(score.bitPattern) }
    }
}

extension ByteReader {
    mutating func readScores() throws(MessageError) -> [[Float]] {
        let (viewCount, outputCount) = (try read(UInt8.self), try read(UInt8.self))
        guard viewCount <= ImageReply.maximumViewCount, outputCount <= ModelSetup.maximumOutputCount else {
            throw .valueOutOfRange
        }
        var scores: [[Float]] = []
        for _ in 0..<viewCount {
            var view: [Float] = []
            for _ in 0..<outputCount { view.append(Float(bitPattern: try read())) }
            scores.append(view)
        }
        return scores
    }
}
