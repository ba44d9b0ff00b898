// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// An answer of a helper process.
///
/// The host believes none of it before it has checked it.
package enum HelperReply: Sendable, Equatable {
    case hello(HelperIdentity)
    /// A picture, whose views are in the pixel memory.
    case image(ImageReply)
    /// The content types whose test patterns were found.
    case testPatterns(Set<ContentType>)
    case failure(DecodingFailure)
    /// The file is something else than was asked for.
    case content(MediaContent)
    case media(MediaReply)
    case track(TrackReply)
    /// A frame, whose views are in the pixel memory.
    case frame(FrameReply)
    /// What is shown for a while looks like the frame that was sent last.
    case repetition(TimeSpan)
    case progress(TrackProgress)
    case trackEnd(TrackEnd)
    case closed
    case modelLoaded(ModelLoadReport)
    case modelFailure(ModelFailure)
    /// For each view, the number of each output.
    case scores([[Float]])
}

/// Who answers.
package struct HelperIdentity: Sendable, Equatable {
    package var packageVersion: String
    /// The decoding library and its version, for the report of what is installed.
    package var library: String
    package var sandbox: SandboxReport

    package init(packageVersion: String = PackageVersion.current, library: String, sandbox: SandboxReport) {
        self.packageVersion = packageVersion
        self.library = library
        self.sandbox = sandbox
    }
}

extension Set<ContentType> {
    /// Writes a byte with a bit for each type, in the order of the declaration.
    func write(to writer: inout ByteWriter) {
        writer.write(
            ContentType.allCases.indices.reduce(0 as UInt8) { bits, index in
                contains(ContentType.allCases[index]) ? bits | 1 << UInt8(index) : bits
            })
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        let bits = try reader.read(UInt8.self)
        // An unknown type must not be read as the absence of a type.
        guard bits >> UInt8(ContentType.allCases.count) == 0 else { throw .valueOutOfRange }
        self = Set(ContentType.allCases.enumerated().filter { bits >> UInt8($0.offset) & 1 == 1 }.map(\.element))
    }
}

extension HelperReply {
    /// The most ASCII characters of a failure's detail that are sent.
    package static let maximumDetailLength = 200

    /// Encodes the reply.
    ///
    /// - Parameter serial: the serial of the request.
    package func encoded(answering serial: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .hello(let identity):
            MessageHeader(kind: 101, serial: serial).write(to: &writer)
            writer.write(identity.packageVersion)
            writer.write(identity.library)
            identity.sandbox.write(to: &writer)
        case .image(let image):
            MessageHeader(kind: 102, serial: serial).write(to: &writer)
            image.write(to: &writer)
        case .testPatterns(let patterns):
            MessageHeader(kind: 103, serial: serial).write(to: &writer)
            patterns.write(to: &writer)
        case .failure(let failure):
            MessageHeader(kind: 104, serial: serial).write(to: &writer)
            writer.write(failure.reason.rawValue)
            writer.write(failure.format?.rawValue ?? 0)
            writer.write(failure.value)
            writer.write(failure.bound)
            writer.write(failure.detail, atMost: HelperReply.maximumDetailLength)
        case .media(let media):
            MessageHeader(kind: 105, serial: serial).write(to: &writer)
            writer.write(media.format.rawValue)
            writer.write(media.trackCount)
            writer.write(UInt8(media.needsVideoDecoder ? 1 : 0))
        case .track(let track):
            MessageHeader(kind: 106, serial: serial).write(to: &writer)
            writer.write(UInt8(track.isTimed ? 1 : 0))
            writer.write(UInt8(track.isComplete ? 1 : 0))
            writer.write(track.duration)
        case .frame(let frame):
            MessageHeader(kind: 107, serial: serial).write(to: &writer)
            frame.image.write(to: &writer)
            frame.shown.write(to: &writer)
        case .repetition(let shown):
            MessageHeader(kind: 108, serial: serial).write(to: &writer)
            shown.write(to: &writer)
        case .progress(let progress):
            MessageHeader(kind: 109, serial: serial).write(to: &writer)
            writer.write(progress.share)
            writer.write(progress.position)
        case .trackEnd(let end):
            MessageHeader(kind: 110, serial: serial).write(to: &writer)
            writer.write(end.duration)
            writer.write(end.decodedFrameCount)
            writer.write(end.longestUnseen)
            writer.write(end.reason.rawValue)
        case .closed:
            MessageHeader(kind: 111, serial: serial).write(to: &writer)
        case .content(let content):
            MessageHeader(kind: 115, serial: serial).write(to: &writer)
            writer.write(content.rawValue)
        case .modelLoaded(let report):
            MessageHeader(kind: 112, serial: serial).write(to: &writer)
            report.write(to: &writer)
        case .modelFailure(let failure):
            MessageHeader(kind: 113, serial: serial).write(to: &writer)
            failure.write(to: &writer)
        case .scores(let scores):
            MessageHeader(kind: 114, serial: serial).write(to: &writer)
            writer.write(scores: scores)
        }
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader(from: &reader).kind {
        case 101:
            self = .hello(
                HelperIdentity(
                    packageVersion: try reader.readText(atMost: 64), library: try reader.readText(atMost: 128),
                    sandbox: try SandboxReport(from: &reader)))
        case 102:
            self = .image(try ImageReply(from: &reader))
        case 103:
            self = .testPatterns(try Set<ContentType>(from: &reader))
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
                    needsVideoDecoder: try reader.read(UInt8.self) == 1))
        case 106:
            self = .track(
                TrackReply(
                    isTimed: try reader.read(UInt8.self) == 1, isComplete: try reader.read(UInt8.self) == 1,
                    duration: try reader.read()))
        case 107:
            self = .frame(FrameReply(image: try ImageReply(from: &reader), shown: try TimeSpan(from: &reader)))
        case 108:
            self = .repetition(try TimeSpan(from: &reader))
        case 109:
            self = .progress(TrackProgress(share: try reader.read(), position: try reader.read()))
        case 110:
            let (duration, count, unseen) = (
                try reader.read(UInt64.self), try reader.read(UInt64.self), try reader.read(UInt64.self)
            )
            guard let reason = TrackEnd.Reason(rawValue: try reader.read()) else { throw .valueOutOfRange }
            self = .trackEnd(
                TrackEnd(duration: duration, decodedFrameCount: count, longestUnseen: unseen, reason: reason))
        case 111:
            self = .closed
        case 112:
            self = .modelLoaded(try ModelLoadReport(from: &reader))
        case 113:
            self = .modelFailure(try ModelFailure(from: &reader))
        case 114:
            self = .scores(try reader.readScores())
        case 115:
            guard let content = MediaContent(rawValue: try reader.read()) else { throw .valueOutOfRange }
            self = .content(content)
        default:
            throw .unknownKind
        }
        try reader.finish()
    }
}
