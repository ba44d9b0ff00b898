// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The bounds and the wishes for one picture.
package struct ImageRequest: Sendable, Equatable {
    /// The width in pixels below which the decoder must not reduce the upright picture.
    package var minimumWidth: UInt32
    /// The height in pixels below which the decoder must not reduce the upright picture.
    package var minimumHeight: UInt32
    package var maximumByteCount: UInt64
    package var maximumEdge: UInt32
    package var maximumStreamedPixelCount: UInt64
    package var maximumPixelCount: UInt64
    /// How long the host waits for each answer, in milliseconds.
    package var maximumTime: UInt32
    /// Whether to look for the test pattern as well.
    package var findsTestPatterns: Bool

    package init(
        minimumWidth: UInt32, minimumHeight: UInt32, maximumByteCount: UInt64, maximumEdge: UInt32,
        maximumStreamedPixelCount: UInt64, maximumPixelCount: UInt64, maximumTime: UInt32, findsTestPatterns: Bool
    ) {
        self.minimumWidth = minimumWidth
        self.minimumHeight = minimumHeight
        self.maximumByteCount = maximumByteCount
        self.maximumEdge = maximumEdge
        self.maximumStreamedPixelCount = maximumStreamedPixelCount
        self.maximumPixelCount = maximumPixelCount
        self.maximumTime = maximumTime
        self.findsTestPatterns = findsTestPatterns
    }
}

extension ImageRequest {
    func write(to writer: inout ByteWriter) {
        writer.write(minimumWidth)
        writer.write(minimumHeight)
        writer.write(maximumByteCount)
        writer.write(maximumEdge)
        writer.write(maximumStreamedPixelCount)
        writer.write(maximumPixelCount)
        writer.write(maximumTime)
        writer.write(UInt8(findsTestPatterns ? 1 : 0))
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        self.init(
            minimumWidth: try reader.read(), minimumHeight: try reader.read(),
            maximumByteCount: try reader.read(), maximumEdge: try reader.read(),
            maximumStreamedPixelCount: try reader.read(), maximumPixelCount: try reader.read(),
            maximumTime: try reader.read(), findsTestPatterns: try reader.read(UInt8.self) == 1)
    }
}
