// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A reply of a helper process.
///
/// The host checks every value before it uses it.
package enum HelperReply: Sendable, Equatable {
    case hello(HelperIdentity)
    /// A picture, whose views are in the pixel memory.
    case image(ImageReply)
    /// The size of the picture that the app displays, for which the decoder needs memory.
    case wholePicture(WholePictureReply)
    /// The pixels of that picture are in the memory; parts may be missing.
    case wholePictureWritten(isDamaged: Bool)
    /// The file is open for its frames.
    case wholeFrames(WholeFramesReply)
    /// The size and the time of the next frame that the app displays, for which the decoder needs memory.
    case wholeFrame(WholePictureReply, TimeSpan)
    /// The content types whose test patterns were found.
    case testPatterns(Set<ContentType>)
    case failure(DecodingFailure)
    /// The kind of content that the file has instead of content that suits the request.
    case content(MediaContent)
    case media(MediaReply)
    case track(TrackReply)
    /// A frame, whose views are in the pixel memory.
    case frame(FrameReply)
    /// A span in which the track looks like the last frame that was sent.
    case repetition(TimeSpan)
    case progress(TrackProgress)
    case trackEnd(TrackEnd)
    case closed
    case modelLoaded(ModelLoadReport)
    case modelFailure(ModelFailure)
    /// For each view, the score of each output.
    case scores([[Float]])
    case streamOpened
    /// A whole frame of a live stream, whose planes are in the pixel memory.
    case streamFrame(StreamFrameReply)
    /// There is no frame yet; the decoder reads on with the next request.
    case streamWaits
    /// The live stream has ended.
    case streamEnd
    /// A Core ML file was read; the lengths are those of its description and of the ONNX model, in bytes.
    ///
    /// The second length is 0 if the file has a part that is not supported.
    case modelConverted(descriptionByteCount: UInt64, modelByteCount: UInt64)
    /// A file is ready to be written: an encoded picture or film, or a copy of a film; the length is in bytes.
    case fileReady(byteCount: UInt64)
    /// The scores of labels from the requested label on, as many as fit into a message.
    case labelScores([Float])
    /// The pictures inside a view.
    case innerPictures([InnerPicture])
    /// The scores of the places in a view; nil for a model without a map.
    case placeScores(PlaceScores?)
}

extension Set<ContentType> {
    /// Writes one byte, in which each content type of the set has a bit, in the order of their declaration.
    func write(to writer: inout ByteWriter) {
        writer.write(
            ContentType.allCases.indices.reduce(0 as UInt8) { bits, index in
                contains(ContentType.allCases[index]) ? bits | 1 << UInt8(index) : bits
            })
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        let bits = try reader.read(UInt8.self)
        // A bit of an unknown content type is an error, because ignoring it would hide a found pattern.
        guard bits >> UInt8(ContentType.allCases.count) == 0 else { throw .valueOutOfRange }
        self = Set(ContentType.allCases.enumerated().filter { bits >> UInt8($0.offset) & 1 == 1 }.map(\.element))
    }
}

extension HelperReply {
    /// The largest length of the detail text of a failure in a message, in ASCII characters.
    package static let maximumDetailLength = 200
    /// The largest number of scores in `labelScores`, which fits into a message.
    package static let maximumLabelCount = 1000

    /// Encodes the reply.
    ///
    /// - Parameter serial: the serial of the request.
    package func encoded(answering serial: UInt64) -> [UInt8] {
        switch self {
        case .hello(let identity):
            MessageHeader.message(101, serial) { writer in
                writer.write(identity.packageVersion)
                writer.write(identity.library)
                identity.sandbox.write(to: &writer)
            }
        case .image(let image): MessageHeader.message(102, serial, image.write(to:))
        case .wholePicture(let picture): MessageHeader.message(122, serial, picture.write(to:))
        case .wholePictureWritten(let isDamaged):
            MessageHeader.message(123, serial) { $0.write(UInt8(isDamaged ? 1 : 0)) }
        case .wholeFrames(let frames): MessageHeader.message(125, serial, frames.write(to:))
        case .wholeFrame(let picture, let shown):
            MessageHeader.message(126, serial) { writer in
                picture.write(to: &writer)
                shown.write(to: &writer)
            }
        case .testPatterns(let patterns): MessageHeader.message(103, serial, patterns.write(to:))
        case .failure(let failure):
            MessageHeader.message(104, serial) { writer in
                writer.write(failure.reason.rawValue)
                writer.write(failure.format?.rawValue ?? 0)
                writer.write(failure.value)
                writer.write(failure.bound)
                writer.write(failure.detail, atMost: HelperReply.maximumDetailLength)
            }
        case .media(let media):
            MessageHeader.message(105, serial) { writer in
                writer.write(media.format.rawValue)
                writer.write(media.trackCount)
                SequencePlace.write(media.sequence, to: &writer)
            }
        case .track(let track):
            MessageHeader.message(106, serial) { writer in
                writer.write(UInt8(track.isTimed ? 1 : 0))
                writer.write(UInt8(track.isComplete ? 1 : 0))
                writer.write(track.duration)
            }
        case .frame(let frame):
            MessageHeader.message(107, serial) { writer in
                frame.image.write(to: &writer)
                frame.shown.write(to: &writer)
            }
        case .repetition(let shown): MessageHeader.message(108, serial, shown.write(to:))
        case .progress(let progress):
            MessageHeader.message(109, serial) { writer in
                writer.write(progress.share)
                writer.write(progress.position)
            }
        case .trackEnd(let end):
            MessageHeader.message(110, serial) { writer in
                writer.write(end.duration)
                writer.write(end.decodedFrameCount)
                writer.write(end.longestUnseen)
                writer.write(end.reason.rawValue)
            }
        case .closed: MessageHeader.message(111, serial)
        case .content(let content): MessageHeader.message(115, serial) { $0.write(content.rawValue) }
        case .modelLoaded(let report): MessageHeader.message(112, serial, report.write(to:))
        case .modelFailure(let failure): MessageHeader.message(113, serial, failure.write(to:))
        case .scores(let scores): MessageHeader.message(114, serial) { $0.write(scores: scores) }
        case .streamOpened: MessageHeader.message(116, serial)
        case .streamFrame(let frame): MessageHeader.message(117, serial, frame.write(to:))
        case .streamWaits: MessageHeader.message(118, serial)
        case .streamEnd: MessageHeader.message(119, serial)
        case .modelConverted(let descriptionByteCount, let modelByteCount):
            MessageHeader.message(120, serial) { writer in
                writer.write(descriptionByteCount)
                writer.write(modelByteCount)
            }
        case .fileReady(let byteCount): MessageHeader.message(124, serial) { $0.write(byteCount) }
        case .labelScores(let scores):
            MessageHeader.message(121, serial) { writer in
                writer.write(UInt16(clamping: scores.count))
                for score in scores { writer.write(score.bitPattern) }
            }
        case .innerPictures(let pictures):
            MessageHeader.message(127, serial) { writer in
                writer.write(UInt8(clamping: pictures.count))
                for picture in pictures { picture.write(to: &writer) }
            }
        case .placeScores(let scores): MessageHeader.message(128, serial) { PlaceScores.write(scores, to: &$0) }
        }
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader(from: &reader).kind {
        case 101:
            self = .hello(
                HelperIdentity(
                    packageVersion: try reader.readText(atMost: 64), library: try reader.readText(atMost: 128),
                    sandbox: try SandboxReport(from: &reader)))
        case 102: self = .image(try ImageReply(from: &reader))
        case 103: self = .testPatterns(try Set<ContentType>(from: &reader))
        case 104:
            guard let reason = DecodingFailure.Reason(rawValue: try reader.read()) else { throw .valueOutOfRange }
            self = .failure(
                DecodingFailure(
                    reason, format: MediaFormat(rawValue: try reader.read()), value: try reader.read(),
                    bound: try reader.read(),
                    detail: try reader.readText(atMost: Self.maximumDetailLength)))
        case 105:
            guard let format = MediaFormat(rawValue: try reader.read()) else { throw .valueOutOfRange }
            self = .media(
                MediaReply(
                    format: format, trackCount: try reader.read(),
                    sequence: try SequencePlace.read(from: &reader)))
        case 106:
            self = .track(
                TrackReply(
                    isTimed: try reader.read(UInt8.self) == 1, isComplete: try reader.read(UInt8.self) == 1,
                    duration: try reader.read()))
        case 107: self = .frame(FrameReply(image: try ImageReply(from: &reader), shown: try TimeSpan(from: &reader)))
        case 108: self = .repetition(try TimeSpan(from: &reader))
        case 109: self = .progress(TrackProgress(share: try reader.read(), position: try reader.read()))
        case 110:
            let (duration, count, unseen) = (
                try reader.read(UInt64.self), try reader.read(UInt64.self), try reader.read(UInt64.self)
            )
            guard let reason = TrackEnd.Reason(rawValue: try reader.read()) else { throw .valueOutOfRange }
            self = .trackEnd(
                TrackEnd(duration: duration, decodedFrameCount: count, longestUnseen: unseen, reason: reason))
        case 111: self = .closed
        case 112: self = .modelLoaded(try ModelLoadReport(from: &reader))
        case 113: self = .modelFailure(try ModelFailure(from: &reader))
        case 114: self = .scores(try reader.readScores())
        case 115:
            guard let content = MediaContent(rawValue: try reader.read()) else { throw .valueOutOfRange }
            self = .content(content)
        case 116: self = .streamOpened
        case 117: self = .streamFrame(try StreamFrameReply(from: &reader))
        case 118: self = .streamWaits
        case 119: self = .streamEnd
        case 120:
            self = .modelConverted(
                descriptionByteCount: try reader.read(), modelByteCount: try reader.read())
        case 121:
            let count = try reader.read(UInt16.self)
            guard count <= Self.maximumLabelCount else { throw .valueOutOfRange }
            var scores: [Float] = []
            for _ in 0..<count { scores.append(Float(bitPattern: try reader.read())) }
            self = .labelScores(scores)
        case 127:
            let count = try reader.read(UInt8.self)
            guard count <= InnerPictureSearch.mostInnerPictures else { throw .valueOutOfRange }
            var pictures: [InnerPicture] = []
            for _ in 0..<count { pictures.append(try InnerPicture(from: &reader)) }
            self = .innerPictures(pictures)
        case 128: self = .placeScores(try PlaceScores.read(from: &reader))
        case 122: self = .wholePicture(try WholePictureReply(from: &reader))
        case 123: self = .wholePictureWritten(isDamaged: try reader.readFlag())
        case 124: self = .fileReady(byteCount: try reader.read())
        case 125: self = .wholeFrames(try WholeFramesReply(from: &reader))
        case 126: self = .wholeFrame(try WholePictureReply(from: &reader), try TimeSpan(from: &reader))
        default: throw .unknownKind
        }
        try reader.finish()
    }
}
