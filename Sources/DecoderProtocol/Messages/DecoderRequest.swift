// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What the host asks of a decoder process; the first four carry a file descriptor.
package enum DecoderRequest: Sendable, Equatable {
    /// Opens the conversation; the attached descriptor is that of the pixel memory, to which all answers are written.
    case hello
    /// Asks for the picture in the file of the attached descriptor.
    case decodeImage(ImageRequest)
    /// Asks for the test patterns in pixels of the app; the attached descriptor is their sealed memory.
    case findTestPatterns(PixelDescription)
    /// Opens the file of the attached descriptor to look at all of its pictures; whatever was open is closed.
    case openMedia(MediaRequest)
    /// Turns to a track of the open file.
    case openTrack(UInt16)
    /// Asks for the next frame of the track that is worth a look.
    case nextFrame
    /// Asks for the frame of the track that is shown at a moment, in microseconds; the same request goes on with it.
    case frameShown(at: UInt64)
    /// Closes what is open, so that it takes no more memory.
    case closeMedia
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
    /// - Parameter serial: what the answer will have to repeat.
    package func encoded(as serial: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .hello:
            MessageHeader(kind: 1, serial: serial).write(to: &writer)
            writer.write(PackageVersion.current)
        case .decodeImage(let request):
            MessageHeader(kind: 2, serial: serial).write(to: &writer)
            request.write(to: &writer)
        case .openMedia(let request):
            MessageHeader(kind: 4, serial: serial).write(to: &writer)
            request.write(to: &writer)
        case .openTrack(let index):
            MessageHeader(kind: 5, serial: serial).write(to: &writer)
            writer.write(index)
        case .nextFrame:
            MessageHeader(kind: 6, serial: serial).write(to: &writer)
        case .frameShown(let moment):
            MessageHeader(kind: 7, serial: serial).write(to: &writer)
            writer.write(moment)
        case .closeMedia:
            MessageHeader(kind: 8, serial: serial).write(to: &writer)
        case .findTestPatterns(let pixels):
            MessageHeader(kind: 3, serial: serial).write(to: &writer)
            writer.write(pixels.width)
            writer.write(pixels.height)
            writer.write(pixels.bytesPerRow)
        }
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader(from: &reader).kind {
        case 1:
            _ = try reader.readText(atMost: 64)
            self = .hello
        case 2:
            self = .decodeImage(try ImageRequest(from: &reader))
        case 3:
            self = .findTestPatterns(
                PixelDescription(
                    width: try reader.read(), height: try reader.read(), bytesPerRow: try reader.read()))
        case 4:
            self = .openMedia(try MediaRequest(from: &reader))
        case 5:
            self = .openTrack(try reader.read())
        case 6:
            self = .nextFrame
        case 7:
            self = .frameShown(at: try reader.read())
        case 8:
            self = .closeMedia
        default:
            throw .unknownKind
        }
        try reader.finish()
    }
}
