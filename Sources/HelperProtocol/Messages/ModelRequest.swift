// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A request of the host to the model's process.
package enum ModelRequest: HelperRequest {
    case hello
    /// Gives the process another connection for requests, which is the attached socket.
    case addLane
    /// Gives the process the file of the model.
    case useModel
    /// Gives the process a compiled copy of the model, which is used if it ends with this state and its digest.
    case useCompiledCopy(state: [UInt8])
    /// Gives the process empty memory, into which it writes the compiled model if it has to compile.
    case keepCompiledCopy
    /// Makes the process load the model and close its sandbox.
    case loadModel(ModelSetup)
    /// Asks for the scores of the views that the host has written to the pixel memory.
    ///
    /// - Parameter search: the search for pictures inside them; nil for none.
    case scoreViews(ViewsDescription, InnerPictureSearch?)
    /// Asks for the scores of pixels of the app; the attached descriptor is their sealed memory.
    case scorePixels(PixelLayout, InnerPictureSearch?)
    /// Asks for the scores of labels in a view that the last reply with scores was about.
    case labelScores(view: UInt8, first: UInt32)
    /// Asks for the pictures inside a view that the last reply with scores was about.
    case innerPictures(view: UInt8)
    /// Asks for the scores of the places in a view that the last reply with scores was about.
    case placeScores(view: UInt8)

    /// The largest length of the state in `useCompiledCopy`, in bytes.
    package static let maximumStateLength = 2048

    package func encoded(as serial: UInt64) -> [UInt8] {
        switch self {
        case .hello: Self.encodedHello(serial)
        case .addLane: MessageHeader.message(9, serial)
        case .useModel: MessageHeader.message(10, serial)
        case .useCompiledCopy(let state):
            MessageHeader.message(11, serial) { writer in
                writer.write(UInt16(clamping: state.count))
                for byte in state.prefix(Int(UInt16.max)) { writer.write(byte) }
            }
        case .keepCompiledCopy: MessageHeader.message(12, serial)
        case .loadModel(let setup): MessageHeader.message(13, serial, setup.write(to:))
        case .scoreViews(let views, let search):
            MessageHeader.message(14, serial) { writer in
                views.write(to: &writer)
                InnerPictureSearch.write(search, to: &writer)
            }
        case .scorePixels(let pixels, let search):
            MessageHeader.message(15, serial) { writer in
                pixels.write(to: &writer)
                InnerPictureSearch.write(search, to: &writer)
            }
        case .labelScores(let view, let first):
            MessageHeader.message(20, serial) { writer in
                writer.write(view)
                writer.write(first)
            }
        case .innerPictures(let view): MessageHeader.message(31, serial) { $0.write(view) }
        case .placeScores(let view): MessageHeader.message(32, serial) { $0.write(view) }
        }
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader(from: &reader).kind {
        case 1: self = try Self.hello(from: &reader)
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
        case 14:
            self = .scoreViews(try ViewsDescription(from: &reader), try InnerPictureSearch.read(from: &reader))
        case 15: self = .scorePixels(try PixelLayout(from: &reader), try InnerPictureSearch.read(from: &reader))
        case 20: self = .labelScores(view: try reader.read(), first: try reader.read())
        case 31: self = .innerPictures(view: try reader.read())
        case 32: self = .placeScores(view: try reader.read())
        default: throw .unknownKind
        }
        try reader.finish()
    }
}
