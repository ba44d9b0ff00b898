// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The bounds within which one input is analysed; every bound is checked before memory is allocated for what it bounds.
package struct AnalysisLimits: Sendable, Hashable {
    /// The largest file or data that is read, in bytes.
    package var maximumByteCount: Int
    /// The longest edge of a picture, in pixels.
    package var maximumEdge: Int
    /// The largest picture of a format that is decoded in strips or at a reduced scale, in pixels.
    package var maximumStreamedPixelCount: Int
    /// The largest picture of a format that has to be decoded as a whole, in pixels.
    package var maximumPixelCount: Int
    /// The longest time that one picture may take to decode.
    package var maximumDecodingTime: Duration
    /// The longest time that all pictures of one file together may take to decode.
    package var maximumMediaDecodingTime: Duration
    /// The largest video file that is read, in bytes; it is never held as a whole.
    package var maximumVideoByteCount: Int
    /// The longest video that is gone through.
    package var maximumDuration: Duration
    /// How many frames of one file may be decoded.
    package var maximumFrameCount: Int
    /// The address space that a decoder process may use beyond what it needs to start, in bytes.
    package var decoderMemory: Int

    package init(
        maximumByteCount: Int = 256 << 20,
        maximumEdge: Int = 65_535,
        maximumStreamedPixelCount: Int = 300_000_000,
        maximumPixelCount: Int = 100_000_000,
        maximumDecodingTime: Duration = .seconds(10),
        maximumMediaDecodingTime: Duration = .seconds(3600),
        maximumVideoByteCount: Int = 1 << 40,
        maximumDuration: Duration = .seconds(86_400),
        maximumFrameCount: Int = 10_000_000,
        decoderMemory: Int = 1 << 30
    ) {
        self.maximumByteCount = maximumByteCount
        self.maximumEdge = maximumEdge
        self.maximumStreamedPixelCount = maximumStreamedPixelCount
        self.maximumPixelCount = maximumPixelCount
        self.maximumDecodingTime = maximumDecodingTime
        self.maximumMediaDecodingTime = maximumMediaDecodingTime
        self.maximumVideoByteCount = maximumVideoByteCount
        self.maximumDuration = maximumDuration
        self.maximumFrameCount = maximumFrameCount
        self.decoderMemory = decoderMemory
    }

    /// Throws `invalidArgument` for a bound that is zero, negative or beyond what the decoder protocol can carry.
    package func validate() throws(AnalysisFailure) {
        let bounds: [(String, Int, ClosedRange<Int>)] = [
            ("maximum byte count", maximumByteCount, 1...(1 << 40)),
            ("maximum edge", maximumEdge, 1...1_000_000),
            ("maximum pixel count", maximumPixelCount, 1...4_000_000_000),
            ("maximum pixel count of streamed formats", maximumStreamedPixelCount, 1...4_000_000_000),
            ("maximum byte count of a video", maximumVideoByteCount, 1...(1 << 50)),
            ("maximum frame count", maximumFrameCount, 1...(1 << 40)),
            ("decoder memory", decoderMemory, (64 << 20)...(1 << 40)),
        ]
        for (name, value, range) in bounds where !range.contains(value) {
            throw AnalysisFailure(
                .invalidArgument,
                "The \(name) is \(value); use a value from \(range.lowerBound) to \(range.upperBound).")
        }
        guard maximumDuration > .zero, maximumDuration <= .seconds(31_536_000) else {
            throw AnalysisFailure(
                .invalidArgument, "The maximum duration of a video must be more than zero and at most a year.")
        }
        for (name, time) in [
            ("decoding time", maximumDecodingTime), ("decoding time of a file", maximumMediaDecodingTime),
        ] {
            guard time > .zero, time <= .seconds(86_400) else {
                throw AnalysisFailure(.invalidArgument, "The maximum \(name) must be more than zero and at most a day.")
            }
        }
    }
}
