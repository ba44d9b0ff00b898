// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SCATool

/// The speed of encoded streams from standard input.
struct StreamPaceTests {
    /// Passes frames as fast as they are due, and returns the time that they take; nil if the stream has no speed.
    private static func duration(_ moments: [Duration?], startingLate: Duration = .zero) -> Duration? {
        var pace = StreamPace()
        let start = ContinuousClock.now
        var now = start
        for (index, moment) in moments.enumerated() {
            guard let delay = pace.delay(before: moment, at: now) else { return nil }
            if index == 0 { now += startingLate }
            now += delay
        }
        return start.duration(to: now)
    }

    @Test("a stream that comes at once takes the time that its frames state") func fromFile() {
        let moments = (0..<251).map { Duration.milliseconds(40 * $0) }
        #expect(Self.duration(moments) == .seconds(10))
    }

    @Test("a stream without times takes 25 frames a second") func withoutTimes() {
        #expect(Self.duration([Duration?](repeating: nil, count: 251)) == .seconds(10))
    }

    @Test("a stream that was held up for long goes on at its own speed") func heldUp() {
        let moments = (0..<251).map { Duration.milliseconds(40 * $0) }
        // The frames after the pause are due one after the other, and not at once.
        #expect(Self.duration(moments, startingLate: .seconds(60))! >= .seconds(69))
    }

    @Test("a stream that is joined with another one goes on, and one whose times do not grow has no speed")
    func jumps() {
        let part = (0..<250).map { Duration.milliseconds(40 * $0) }
        let joined = Self.duration(part + part + part)
        #expect(joined! >= .seconds(29) && joined! <= .seconds(31))
        #expect(Self.duration([Duration](repeating: .zero, count: 100)) == nil)
        #expect(Self.duration((0..<100).map { .seconds($0 % 2 * 100) }) == nil)
    }
}
