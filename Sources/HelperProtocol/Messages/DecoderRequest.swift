// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A request of the host to a decoder.
package enum DecoderRequest: HelperRequest {
    case hello
    /// Opens the file of the attached descriptor, and closes an earlier file.
    ///
    /// The reply holds the picture if the file has only one, and its tracks otherwise.
    case open(OpenRequest)
    /// Opens the picture of the attached file that the app itself displays, and closes an earlier file.
    ///
    /// The reply is the size of the picture, or its place if the video decoder decodes it.
    case openWholePicture(WholePictureRequest)
    /// Makes the decoder write the pixels of that picture, or of the frame whose size it has told; the attached
    /// descriptor is their memory.
    case writeWholePicture
    /// Opens the attached file for all frames that the app itself displays, and closes an earlier file.
    ///
    /// The reply describes the frames, or is their place if the video decoder decodes them.
    case openWholeFrames(WholePictureRequest)
    /// Asks for the size and the time of the next frame; a frame whose pixels were not asked for is passed over.
    case nextWholeFrame
    /// Makes a copy of the film in the attached file without encoding, and closes an earlier file.
    ///
    /// The reply is the length of the copy.
    case remux(RemuxRequest)
    /// Makes the decoder write that copy; the attached descriptor is memory of exactly its size.
    case writeRemuxed
    /// Asks for the test patterns in pixels of the app; the attached descriptor is their sealed memory.
    case findTestPatterns(PixelLayout)
    /// Opens the track with this index in the open file, at the track's start.
    case openTrack(UInt16)
    /// Asks for the next frame of the track that needs a score.
    case nextFrame
    /// Asks for the frame that is shown at a moment, in microseconds; repeating the request continues the search.
    case frameShown(at: UInt64)
    /// Closes the open file, so that it takes no more memory.
    case closeMedia
    /// Opens a live stream; the attached descriptor is the reading end of a pipe.
    case openStream(StreamRequest)
    /// Asks for the next frame of the live stream.
    case nextStreamFrame

    package func encoded(as serial: UInt64) -> [UInt8] {
        switch self {
        case .hello: Self.encodedHello(serial)
        case .open(let request): MessageHeader.message(2, serial, request.write(to:))
        case .openWholePicture(let request): MessageHeader.message(4, serial, request.write(to:))
        case .writeWholePicture: MessageHeader.message(21, serial)
        case .openWholeFrames(let request): MessageHeader.message(24, serial, request.write(to:))
        case .nextWholeFrame: MessageHeader.message(25, serial)
        case .remux(let request): MessageHeader.message(29, serial, request.write(to:))
        case .writeRemuxed: MessageHeader.message(30, serial)
        case .findTestPatterns(let pixels): MessageHeader.message(3, serial, pixels.write(to:))
        case .openTrack(let index): MessageHeader.message(5, serial) { $0.write(index) }
        case .nextFrame: MessageHeader.message(6, serial)
        case .frameShown(let moment): MessageHeader.message(7, serial) { $0.write(moment) }
        case .closeMedia: MessageHeader.message(8, serial)
        case .openStream(let request): MessageHeader.message(16, serial, request.write(to:))
        case .nextStreamFrame: MessageHeader.message(17, serial)
        }
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader(from: &reader).kind {
        case 1: self = try Self.hello(from: &reader)
        case 2: self = .open(try OpenRequest(from: &reader))
        case 3: self = .findTestPatterns(try PixelLayout(from: &reader))
        case 5: self = .openTrack(try reader.read())
        case 6: self = .nextFrame
        case 7: self = .frameShown(at: try reader.read())
        case 8: self = .closeMedia
        case 16: self = .openStream(try StreamRequest(from: &reader))
        case 17: self = .nextStreamFrame
        case 4: self = .openWholePicture(try WholePictureRequest(from: &reader))
        case 21: self = .writeWholePicture
        case 24: self = .openWholeFrames(try WholePictureRequest(from: &reader))
        case 25: self = .nextWholeFrame
        case 29: self = .remux(try RemuxRequest(from: &reader))
        case 30: self = .writeRemuxed
        default: throw .unknownKind
        }
        try reader.finish()
    }
}
