// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// What a decoder process answers.
///
/// The host believes none of it before it has checked it.
package enum DecoderReply: Sendable, Equatable {
    case hello(DecoderIdentity)
    /// A picture; the attached descriptor is the sealed memory of its views.
    case image(ImageReply)
    case testPatterns(TestPatternSet)
    case failure(DecodingFailure)
}

/// Who answers.
package struct DecoderIdentity: Sendable, Equatable {
    package var packageVersion: String
    /// The decoding library and its version, for the report of what is installed.
    package var library: String

    package init(packageVersion: String = PackageVersion.current, library: String) {
        self.packageVersion = packageVersion
        self.library = library
    }
}

/// The shape of a decoded picture.
package struct ImageReply: Sendable, Equatable {
    package var format: MediaFormat
    /// The size of the whole upright picture before reduction, in pixels.
    package var originalWidth: UInt32
    package var originalHeight: UInt32
    /// The views, which lie one after the other in memory and have this one shape.
    package var pixels: PixelDescription
    /// 1 for an opaque picture; 2 for one that shows something else over white than over black.
    package var viewCount: UInt8
    package var testPatterns: TestPatternSet

    package init(
        format: MediaFormat, originalWidth: UInt32, originalHeight: UInt32, pixels: PixelDescription,
        viewCount: UInt8, testPatterns: TestPatternSet
    ) {
        self.format = format
        self.originalWidth = originalWidth
        self.originalHeight = originalHeight
        self.pixels = pixels
        self.viewCount = viewCount
        self.testPatterns = testPatterns
    }
}

/// The test patterns that were found.
package struct TestPatternSet: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let sexuallyExplicit = TestPatternSet(rawValue: 1)
    package static let goreOrViolence = TestPatternSet(rawValue: 2)
}

extension DecoderReply {
    package func encoded() -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .hello(let identity):
            MessageHeader.write(kind: 101, to: &writer)
            writer.write(identity.packageVersion)
            writer.write(identity.library)
        case .image(let image):
            MessageHeader.write(kind: 102, to: &writer)
            writer.write(image.format.rawValue)
            writer.write(image.originalWidth)
            writer.write(image.originalHeight)
            writer.write(image.pixels.width)
            writer.write(image.pixels.height)
            writer.write(image.pixels.bytesPerRow)
            writer.write(image.viewCount)
            writer.write(image.testPatterns.rawValue)
        case .testPatterns(let patterns):
            MessageHeader.write(kind: 103, to: &writer)
            writer.write(patterns.rawValue)
        case .failure(let failure):
            MessageHeader.write(kind: 104, to: &writer)
            writer.write(failure.reason.rawValue)
            writer.write(failure.format?.rawValue ?? 0)
            writer.write(failure.value)
            writer.write(failure.bound)
            writer.write(String(failure.detail.prefix(DecodingFailure.maximumDetailLength)))
        }
        return writer.bytes
    }

    package init(decoding bytes: [UInt8]) throws(MessageError) {
        var reader = ByteReader(bytes)
        switch try MessageHeader.read(from: &reader) {
        case 101:
            self = .hello(
                DecoderIdentity(
                    packageVersion: try reader.readText(atMost: 64), library: try reader.readText(atMost: 128)))
        case 102:
            guard let format = MediaFormat(rawValue: try reader.read()) else { throw .valueOutOfRange }
            self = .image(
                ImageReply(
                    format: format, originalWidth: try reader.read(), originalHeight: try reader.read(),
                    pixels: PixelDescription(
                        width: try reader.read(), height: try reader.read(), bytesPerRow: try reader.read()),
                    viewCount: try reader.read(), testPatterns: TestPatternSet(rawValue: try reader.read())))
        case 103:
            self = .testPatterns(TestPatternSet(rawValue: try reader.read()))
        case 104:
            guard let reason = DecodingFailure.Reason(rawValue: try reader.read()) else { throw .valueOutOfRange }
            self = .failure(
                DecodingFailure(
                    reason, format: MediaFormat(rawValue: try reader.read()), value: try reader.read(),
                    bound: try reader.read(),
                    detail: try reader.readText(atMost: DecodingFailure.maximumDetailLength * 4)))
        default:
            throw .unknownKind
        }
        try reader.finish()
    }
}
