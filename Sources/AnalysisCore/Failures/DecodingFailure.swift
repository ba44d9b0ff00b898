// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Why a decoder has no picture to give.
package struct DecodingFailure: Error, Sendable, Equatable {
    package var reason: Reason
    package var format: MediaFormat?
    /// The number that was out of bounds, where the reason is about one.
    package var value: UInt64
    package var bound: UInt64
    /// What the decoding library said, if anything.
    package var detail: String

    package init(
        _ reason: Reason, format: MediaFormat? = nil, value: UInt64 = 0, bound: UInt64 = 0, detail: String = ""
    ) {
        self.reason = reason
        self.format = format
        self.value = value
        self.bound = bound
        self.detail = detail
    }

    /// Checks a condition under which all programs show the same of a file.
    ///
    /// - Throws: `ambiguousRendering` where it does not hold.
    package static func requireOneRendering(
        _ format: MediaFormat, _ isClear: Bool, _ detail: String
    ) throws(DecodingFailure) {
        guard isClear else { throw DecodingFailure(.ambiguousRendering, format: format, detail: detail) }
    }

    package enum Reason: UInt8, Sendable, CaseIterable {
        /// A container that no decoder opens.
        case unsupportedContainer = 3
        /// The file holds several pictures that cannot be decoded one by one.
        case inseparablePictures = 4
        /// The file starts as its format says, and breaks.
        case malformed = 5
        /// A kind of the format that cannot be decoded.
        case unsupportedVariant = 6
        case tooManyBytes = 7
        case edgeTooLong = 8
        case tooManyPixels = 9
        /// The file could not be read.
        case unreadable = 10
        /// The decoder itself could not go on.
        case internalError = 11
        /// A bound that the decoding library itself sets.
        case libraryLimit = 12
        /// The decoder may not use as much memory as the media needs.
        case outOfMemory = 13
        /// A file of sound only.
        case noPictures = 14
        /// More pictures or directories than are counted.
        case tooManyPictures = 15
        /// Viewers show the picture in several ways, one of which cannot be made here.
        case ambiguousRendering = 16
        /// More streams, tracks or boxes than are looked at.
        case tooManyParts = 17
    }
}
