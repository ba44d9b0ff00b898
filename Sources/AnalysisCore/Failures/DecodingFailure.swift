// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The reason why a decoder returned no picture.
package struct DecodingFailure: Error, Sendable, Equatable {
    package var reason: Reason
    package var format: MediaFormat?
    /// The number that is out of bounds, or 0 if the reason is not about a number.
    package var value: UInt64
    package var bound: UInt64
    /// A detail in words, for example the error of the decoding library; may be empty.
    package var detail: String
    /// The disagreement of programs that is the reason; nil in the host, which gets its words alone.
    package private(set) var disagreement: Disagreement?

    package init(
        _ reason: Reason, format: MediaFormat? = nil, value: UInt64 = 0, bound: UInt64 = 0, detail: String = ""
    ) {
        self.reason = reason
        self.format = format
        self.value = value
        self.bound = bound
        self.detail = detail
    }

    /// The failure of a file that programs show in different ways, of which one cannot be made here.
    package init(_ disagreement: Disagreement, _ format: MediaFormat? = nil) {
        self.init(.ambiguousRendering, format: format, detail: disagreement.words)
        self.disagreement = disagreement
    }

    package enum Reason: UInt8, Sendable, CaseIterable {
        /// A container that no decoder opens.
        case unsupportedContainer = 3
        /// The file holds several pictures that cannot be decoded one by one.
        case inseparablePictures = 4
        /// The file begins in its format and is damaged later.
        case malformed = 5
        /// A variant of the format that cannot be decoded.
        case unsupportedVariant = 6
        case tooManyBytes = 7
        case edgeTooLong = 8
        case tooManyPixels = 9
        /// The file, or the pixels that an app passed instead, could not be read.
        case unreadable = 10
        /// The decoder failed through no fault of the file, or got a request that it cannot serve.
        case internalError = 11
        /// A bound of the decoding library itself was exceeded.
        case libraryLimit = 12
        /// The media needs more memory than the decoder may use.
        case outOfMemory = 13
        /// The file has no stream of pictures that can be read, and is not certain to have sound only.
        case noPictures = 14
        /// The file has more pictures or TIFF image file directories than the bound.
        case tooManyPictures = 15
        /// Viewers render the picture in several ways, and one of these ways is not possible here.
        case ambiguousRendering = 16
        /// The file has more streams, tracks or boxes than the bound.
        case tooManyParts = 17
    }
}
