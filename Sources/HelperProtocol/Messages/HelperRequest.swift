// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A request of the host to a helper process.
package enum HelperRequest: Sendable, Equatable {
    /// Greets the helper; the attached descriptor is the pixel memory, for decoded pictures or for views to score.
    case hello
    /// Asks for the picture in the file of the attached descriptor.
    case decodeImage(ImageRequest)
    /// Asks for the test patterns in pixels of the app; the attached descriptor is their sealed memory.
    case findTestPatterns(PixelLayout)
    /// Opens the video or picture sequence of the attached descriptor, and closes an earlier file.
    case openMedia(MediaRequest)
    /// Opens the track with this index in the open file, at the track's start.
    case openTrack(UInt16)
    /// Asks for the next frame of the track that needs a score.
    case nextFrame
    /// Asks for the frame that is shown at a moment, in microseconds; repeating the request continues the search.
    case frameShown(at: UInt64)
    /// Closes the open file, so that it takes no more memory.
    case closeMedia
    /// Gives the model's process another connection for requests, which is the attached socket.
    case addLane
    /// Gives the model's process the file of the model.
    case useModel
    /// Gives the model's process a compiled copy of the model, which is used if it ends with this state and its digest.
    case useCompiledCopy(state: [UInt8])
    /// Gives the model's process empty memory, into which it writes the compiled model if it has to compile.
    case keepCompiledCopy
    /// Makes the model's process load the model and close its sandbox.
    case loadModel(ModelSetup)
    /// Asks for the scores of the views that the host has written to the pixel memory.
    case scoreViews(ViewsDescription)
    /// Asks for the scores of pixels of the app; the attached descriptor is their sealed memory.
    case scorePixels(PixelLayout)
    /// Opens a live stream; the attached descriptor is the reading end of a pipe.
    case openStream(StreamRequest)
    /// Asks for the next frame of the live stream.
    case nextStreamFrame
    /// Asks for the conversion of the Core ML file of the attached descriptor, of this length in bytes.
    case convertModel(byteCount: UInt64)
    /// Asks for the description and the converted model, which the helper writes to the attached memory in this order.
    case writeModel
    /// Asks for the scores of labels in a view that the last reply with scores was about.
    case labelScores(view: UInt8, first: UInt32)
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
    /// The largest length of the state in `useCompiledCopy`, in bytes.
    package static let maximumStateLength = 2048

    /// - Parameter serial: the number that the reply must repeat; 0 before the model is loaded and in greetings.
    package func encoded(as serial: UInt64) -> [UInt8] {
        switch self {
        case .hello: MessageHeader.message(1, serial) { $0.write(PackageVersion.current) }
        case .decodeImage(let request): MessageHeader.message(2, serial, request.write(to:))
        case .openMedia(let request): MessageHeader.message(4, serial, request.write(to:))
        case .openTrack(let index): MessageHeader.message(5, serial) { $0.write(index) }
        case .nextFrame: MessageHeader.message(6, serial)
        case .frameShown(let moment): MessageHeader.message(7, serial) { $0.write(moment) }
        case .closeMedia: MessageHeader.message(8, serial)
        case .findTestPatterns(let pixels): MessageHeader.message(3, serial, pixels.write(to:))
        case .addLane: MessageHeader.message(9, serial)
        case .useModel: MessageHeader.message(10, serial)
        case .useCompiledCopy(let state):
            MessageHeader.message(11, serial) { writer in
                writer.write(UInt16(clamping: state.count))
                for byte in state.prefix(Int(UInt16.max)) { writer.write(byte) }
            }
        case .keepCompiledCopy: MessageHeader.message(12, serial)
        case .loadModel(let setup): MessageHeader.message(13, serial, setup.write(to:))
        case .scoreViews(let views): MessageHeader.message(14, serial, views.write(to:))
        case .scorePixels(let pixels): MessageHeader.message(15, serial, pixels.write(to:))
        case .openStream(let request): MessageHeader.message(16, serial, request.write(to:))
        case .nextStreamFrame: MessageHeader.message(17, serial)
        case .convertModel(let byteCount): MessageHeader.message(18, serial) { $0.write(byteCount) }
        case .writeModel: MessageHeader.message(19, serial)
        case .labelScores(let view, let first):
            MessageHeader.message(20, serial) { writer in
                writer.write(view)
                writer.write(first)
            }
        }
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader(from: &reader).kind {
        case 1:
            _ = try reader.readText(atMost: 64)
            self = .hello
        case 2: self = .decodeImage(try ImageRequest(from: &reader))
        case 3: self = .findTestPatterns(try PixelLayout(from: &reader))
        case 4: self = .openMedia(try MediaRequest(from: &reader))
        case 5: self = .openTrack(try reader.read())
        case 6: self = .nextFrame
        case 7: self = .frameShown(at: try reader.read())
        case 8: self = .closeMedia
        case 9: self = .addLane
        case 10: self = .useModel
        case 11:
            let count = try reader.read(UInt16.self)
            guard count <= Self.maximumStateLength else { throw .valueOutOfRange }
            var state: [UInt8] = []
            for _ in 0..<count { state.append(try reader.read()) }
            self = .useCompiledCopy(state: state)
        case 12: self = .keepCompiledCopy
        case 13: self = .loadModel(try ModelSetup(from: &reader))
        case 14: self = .scoreViews(try ViewsDescription(from: &reader))
        case 15: self = .scorePixels(try PixelLayout(from: &reader))
        case 16: self = .openStream(try StreamRequest(from: &reader))
        case 17: self = .nextStreamFrame
        case 18: self = .convertModel(byteCount: try reader.read())
        case 19: self = .writeModel
        case 20: self = .labelScores(view: try reader.read(), first: try reader.read())
        default: throw .unknownKind
        }
        try reader.finish()
    }
}
