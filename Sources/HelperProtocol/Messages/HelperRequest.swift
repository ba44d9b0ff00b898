// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A request of the host to a helper process.
package enum HelperRequest: Sendable, Equatable {
    /// Opens the conversation; the attached descriptor is that of the pixel memory, to which all answers are written.
    case hello
    /// Asks for the picture in the file of the attached descriptor.
    case decodeImage(ImageRequest)
    /// Asks for the test patterns in pixels of the app; the attached descriptor is their sealed memory.
    case findTestPatterns(PixelLayout)
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
    /// Hands the model's process another connection, the attached socket, on which it answers as on this one.
    case addLane
    /// Hands it the file of the model.
    case useModel
    /// Hands it a compiled copy of the model that the host has kept. It ends with a digest of itself and these bytes.
    case useCompiledCopy(state: [UInt8])
    /// Hands it memory for a compiled copy, where it has to compile the model.
    case keepCompiledCopy
    /// Has it load what was handed over, and close its sandbox.
    case loadModel(ModelSetup)
    /// Asks for the scores of views in the pixel memory.
    case scoreViews(ViewsDescription)
    /// Asks for the scores of pixels of the app; the attached descriptor is their sealed memory.
    case scorePixels(PixelLayout)
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

    func write(to writer: inout ByteWriter) {
        writer.write(width)
        writer.write(height)
        writer.write(bytesPerRow)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        width = try reader.read()
        height = try reader.read()
        bytesPerRow = try reader.read()
    }
}

extension HelperRequest {
    /// The longest state of files, in bytes.
    package static let maximumStateLength = 2048

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
            pixels.write(to: &writer)
        case .addLane:
            MessageHeader(kind: 9, serial: serial).write(to: &writer)
        case .useModel:
            MessageHeader(kind: 10, serial: serial).write(to: &writer)
        case .useCompiledCopy(let state):
            MessageHeader(kind: 11, serial: serial).write(to: &writer)
            writer.write(UInt16(clamping: state.count))
            for byte in state.prefix(Int(UInt16.max)) { writer.write(byte) }
        case .keepCompiledCopy:
            MessageHeader(kind: 12, serial: serial).write(to: &writer)
        case .loadModel(let setup):
            MessageHeader(kind: 13, serial: serial).write(to: &writer)
            setup.write(to: &writer)
        case .scoreViews(let views):
            MessageHeader(kind: 14, serial: serial).write(to: &writer)
            views.write(to: &writer)
        case .scorePixels(let pixels):
            MessageHeader(kind: 15, serial: serial).write(to: &writer)
            pixels.write(to: &writer)
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
            self = .findTestPatterns(try PixelLayout(from: &reader))
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
        case 9:
            self = .addLane
        case 10:
            self = .useModel
        case 11:
            let count = try reader.read(UInt16.self)
            guard count <= Self.maximumStateLength else { throw .valueOutOfRange }
            var state: [UInt8] = []
            for _ in 0..<count { state.append(try reader.read()) }
            self = .useCompiledCopy(state: state)
        case 12:
            self = .keepCompiledCopy
        case 13:
            self = .loadModel(try ModelSetup(from: &reader))
        case 14:
            self = .scoreViews(try ViewsDescription(from: &reader))
        case 15:
            self = .scorePixels(try PixelLayout(from: &reader))
        default:
            throw .unknownKind
        }
        try reader.finish()
    }
}
