// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What the host asks of a decoder process; every request but `hello` carries a file descriptor.
package enum DecoderRequest: Sendable, Equatable {
    /// Opens the conversation.
    case hello
    /// Asks for the picture in the file of the attached descriptor.
    case decodeImage(ImageRequest)
    /// Asks for the test patterns in pixels of the app; the attached descriptor is their sealed memory.
    case findTestPatterns(PixelDescription)
}

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
    /// Whether to look for the test pattern as well.
    package var findsTestPatterns: Bool

    package init(
        minimumWidth: UInt32, minimumHeight: UInt32, maximumByteCount: UInt64, maximumEdge: UInt32,
        maximumStreamedPixelCount: UInt64, maximumPixelCount: UInt64, findsTestPatterns: Bool
    ) {
        self.minimumWidth = minimumWidth
        self.minimumHeight = minimumHeight
        self.maximumByteCount = maximumByteCount
        self.maximumEdge = maximumEdge
        self.maximumStreamedPixelCount = maximumStreamedPixelCount
        self.maximumPixelCount = maximumPixelCount
        self.findsTestPatterns = findsTestPatterns
    }
}

/// The shape of 8-bit RGB pixels in shared memory.
package struct PixelDescription: Sendable, Equatable {
    package var width: UInt32
    package var height: UInt32
    package var bytesPerRow: UInt32

    package init(width: UInt32, height: UInt32, bytesPerRow: UInt32) {
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
    }
}

extension DecoderRequest {
    package func encoded() -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .hello:
            MessageHeader.write(kind: 1, to: &writer)
            writer.write(PackageVersion.current)
        case .decodeImage(let request):
            MessageHeader.write(kind: 2, to: &writer)
            writer.write(request.minimumWidth)
            writer.write(request.minimumHeight)
            writer.write(request.maximumByteCount)
            writer.write(request.maximumEdge)
            writer.write(request.maximumStreamedPixelCount)
            writer.write(request.maximumPixelCount)
            writer.write(UInt8(request.findsTestPatterns ? 1 : 0))
        case .findTestPatterns(let pixels):
            MessageHeader.write(kind: 3, to: &writer)
            writer.write(pixels.width)
            writer.write(pixels.height)
            writer.write(pixels.bytesPerRow)
        }
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader.read(from: &reader) {
        case 1:
            _ = try reader.readText(atMost: 64)
            self = .hello
        case 2:
            self = .decodeImage(
                ImageRequest(
                    minimumWidth: try reader.read(), minimumHeight: try reader.read(),
                    maximumByteCount: try reader.read(), maximumEdge: try reader.read(),
                    maximumStreamedPixelCount: try reader.read(), maximumPixelCount: try reader.read(),
                    findsTestPatterns: try reader.read(UInt8.self) == 1))
        case 3:
            self = .findTestPatterns(
                PixelDescription(
                    width: try reader.read(), height: try reader.read(), bytesPerRow: try reader.read()))
        default:
            throw .unknownKind
        }
        try reader.finish()
    }
}
