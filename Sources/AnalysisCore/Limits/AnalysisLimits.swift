// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The bounds for the analysis of one input, which are checked before memory is allocated for the bounded data.
///
/// The bounds are sent unchanged from the app to the helper processes. A new bound needs a property here, an entry of
/// ``counts`` or ``times``, a property of the public `Limits`, and a check.
package struct AnalysisLimits: Sendable, Hashable {
    /// The largest file or data that is read, in bytes.
    package var maximumByteCount = 256 << 20
    /// The longest edge of a picture, in pixels.
    package var maximumEdge = 65_535
    /// The largest picture of a format that is decoded in strips or at a reduced scale, in pixels.
    package var maximumStreamedPixelCount = 300_000_000
    /// The largest picture of a format that has to be decoded as a whole, in pixels.
    package var maximumPixelCount = 100_000_000
    /// The longest time that the decoder may work on one picture; waiting for a processor is no work.
    package var maximumDecodingTime = Duration.seconds(10)
    /// The longest time that all pictures of one file together may take to decode.
    package var maximumMediaDecodingTime = Duration.seconds(3600)
    /// The longest time that all pictures of one animation, or of a file with pages, may take to decode.
    package var maximumPicturesDecodingTime = Duration.seconds(60)
    /// The largest video file that is read, in bytes; a video file is never held in memory as a whole.
    package var maximumVideoByteCount = 1 << 40
    /// The longest video that is analysed.
    package var maximumDuration = Duration.seconds(86_400)
    /// The largest number of frames of one file that are decoded.
    package var maximumFrameCount = 10_000_000
    /// The address space that a decoder process may use in addition to its needs at the start, in bytes.
    package var decoderMemory = 1 << 30

    /// Creates the default bounds, and passes them to the closure for changes.
    package init(_ change: (inout AnalysisLimits) -> Void = { _ in }) {
        change(&self)
    }
}

extension AnalysisLimits {
    /// A limit of ``AnalysisLimits``, with the values that it may have.
    package struct Bound<Value: Comparable & Sendable>: Sendable {
        /// The name in messages.
        let name: String
        package let value: any WritableKeyPath<AnalysisLimits, Value> & Sendable
        let range: ClosedRange<Value>
        /// The allowed range in words, for messages.
        let words: String
    }

    /// Every bound that is a number, in the order in which they are sent.
    package static let counts: [Bound<Int>] = [
        count("maximum byte count", \.maximumByteCount, 1...(1 << 40)),
        count("maximum edge", \.maximumEdge, 1...1_000_000),
        count("maximum pixel count", \.maximumPixelCount, 1...4_000_000_000),
        count("maximum pixel count of streamed formats", \.maximumStreamedPixelCount, 1...4_000_000_000),
        count("maximum byte count of a video", \.maximumVideoByteCount, 1...(1 << 50)),
        count("maximum frame count", \.maximumFrameCount, 1...(1 << 40)),
        count("decoder memory", \.decoderMemory, (64 << 20)...(1 << 40)),
    ]

    /// Every bound that is a time, in the order in which they are sent after the numbers.
    package static let times: [Bound<Duration>] = [
        time("maximum decoding time", \.maximumDecodingTime, .seconds(86_400), "a day"),
        time("maximum decoding time of a file", \.maximumMediaDecodingTime, .seconds(86_400), "a day"),
        time("maximum decoding time of an animation", \.maximumPicturesDecodingTime, .seconds(86_400), "a day"),
        time("maximum duration of a video", \.maximumDuration, .seconds(31_536_000), "a year"),
    ]

    private static func count(
        _ name: String, _ value: any WritableKeyPath<AnalysisLimits, Int> & Sendable, _ range: ClosedRange<Int>
    ) -> Bound<Int> {
        Bound(name: name, value: value, range: range, words: "from \(range.lowerBound) to \(range.upperBound)")
    }

    private static func time(
        _ name: String, _ value: any WritableKeyPath<AnalysisLimits, Duration> & Sendable, _ longest: Duration,
        _ words: String
    ) -> Bound<Duration> {
        // Times are sent in microseconds.
        Bound(
            name: name, value: value, range: .microseconds(1)...longest,
            words: "of a microsecond at least and \(words) at most")
    }

    /// Checks that each bound is in its range.
    ///
    /// - Throws: `invalidArgument` for a bound out of its range.
    package func validate() throws(AnalysisFailure) {
        for bound in Self.counts { try check(bound) }
        for bound in Self.times { try check(bound) }
    }

    private func check<Value>(_ bound: Bound<Value>) throws(AnalysisFailure) {
        let value = self[keyPath: bound.value]
        guard bound.range.contains(value) else {
            throw AnalysisFailure(.invalidArgument, "The \(bound.name) is \(value); use a value \(bound.words).")
        }
    }
}

extension Duration {
    /// Whole microseconds; 0 for a negative duration.
    package var microseconds: UInt64 { UInt64(clamping: attoseconds / 1_000_000_000_000) }
}

extension AnalysisLimits {
    /// Refuses a picture by its header, before memory is allocated for its pixels.
    ///
    /// - Parameter isStreamed: whether the decoder holds only strips or a reduced picture in memory.
    /// - Throws: `malformed`, `edgeTooLong` or `tooManyPixels`.
    package func checkPicture(width: Int, height: Int, isStreamed: Bool) throws(DecodingFailure) {
        guard width > 0, height > 0 else { throw DecodingFailure(.malformed, detail: "a picture without pixels") }
        let edge = max(width, height)
        guard edge <= maximumEdge else {
            throw DecodingFailure(.edgeTooLong, value: UInt64(edge), bound: UInt64(maximumEdge))
        }
        let bound = isStreamed ? maximumStreamedPixelCount : maximumPixelCount
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, count <= bound else {
            throw DecodingFailure(
                .tooManyPixels, value: overflow ? .max : UInt64(count), bound: UInt64(bound))
        }
    }

    /// Refuses a file by its size.
    ///
    /// - Throws: `tooManyBytes` for a file that is larger than the bound.
    package func checkFile(byteCount: Int, isVideo: Bool = false) throws(DecodingFailure) {
        let bound = isVideo ? maximumVideoByteCount : maximumByteCount
        guard byteCount <= bound else {
            throw DecodingFailure(.tooManyBytes, value: UInt64(byteCount), bound: UInt64(bound))
        }
    }
}
