// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SCATool

/// The constant rate of an output whose input has times.
struct ConstantRateTests {
    /// Returns the rate that is found, and how often each frame is written.
    private static func counts(_ moments: [Duration], known: Int = 8) -> (rate: String?, counts: [Int]) {
        var rate = ConstantRate()
        for moment in moments.prefix(known) { rate.note(moment) }
        rate.find()
        return (rate.text, moments.map { rate.copyCount(of: $0) })
    }

    @Test(
        "The rate of a stream is found by the times of its first frames, also in milliseconds",
        arguments: [
            (24.0, "24:1"), (25, "25:1"), (30, "30:1"), (50, "50:1"), (60, "60:1"), (10, "10:1"), (15, "15:1"),
            (120, "120:1"), (0.5, "1:1"),
        ])
    func rate(frames: Double, text: String) {
        let exact = (0..<100).map { Duration.seconds(Double($0) / frames) }
        #expect(Self.counts(exact).rate == text)
        let rounded = (0..<100).map { Duration.milliseconds(Int((Double($0) * 1000 / frames).rounded())) }
        let found = Self.counts(rounded, known: 16)
        #expect(found.rate == text)
        if frames >= 1 { #expect(found.counts.allSatisfy { $0 == 1 }) }
    }

    @Test("The rate of television is whole by 1.001") func television() {
        let moments = (0..<1000).map { Duration.microseconds(33_367 * $0) }
        let found = Self.counts(moments)
        #expect(found.rate == "30000:1001" && found.counts.allSatisfy { $0 == 1 })
    }

    @Test("A gap is filled, and a frame that comes too soon or with an earlier time is left out") func gaps() {
        let moments: [Duration] =
            (0..<8).map { .milliseconds(40 * $0) }
            + [.milliseconds(480), .milliseconds(481), .milliseconds(100), .milliseconds(520)]
        let found = Self.counts(moments)
        #expect(found.rate == "25:1")
        #expect(found.counts == [1, 1, 1, 1, 1, 1, 1, 1, 5, 0, 0, 1])
    }

    @Test("An output has as many frames as its input has time, whatever the distances are") func changingDistances() {
        let moments = (0..<2000).map { Duration.milliseconds($0 * 33 + ($0 * 7919) % 13) }
        let found = Self.counts(moments)
        let seconds = 1999 * 0.033
        let rate = 1 / 0.033
        #expect(found.rate == "30:1")
        #expect(abs(Double(found.counts.reduce(0, +)) - seconds * rate * 0.99) <= 3)
    }

    @Test("A stream of one frame has a rate") func oneFrame() {
        #expect(Self.counts([.zero]).rate == "30:1")
        #expect(Self.counts([.zero, .zero]).counts == [1, 0])
    }
}
