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

    @Test("A stream that comes at once takes the time that its frames state") func fromFile() {
        let moments = (0..<251).map { Duration.milliseconds(40 * $0) }
        #expect(Self.duration(moments) == .seconds(10))
    }

    @Test("A stream without times takes 25 frames a second") func withoutTimes() {
        #expect(Self.duration([Duration?](repeating: nil, count: 251)) == .seconds(10))
    }

    @Test("A stream that was held up catches up at no more than 1.1 times its speed", arguments: [0.1, 0.45, 5, 60])
    func heldUp(seconds: Double) throws {
        var pace = StreamPace()
        let start = ContinuousClock.now
        var now = start
        var times: [ContinuousClock.Instant] = []
        for index in 0..<251 {
            if index == 50 { now += .seconds(seconds) }
            let delay = pace.delay(before: .milliseconds(40 * index), at: now)
            now += try #require(delay)
            times.append(now)
        }
        let gaps = zip(times, times.dropFirst()).map { $0.duration(to: $1) }
        #expect(gaps.allSatisfy { $0 >= .milliseconds(36) })
        // A short pause is made up for, and a long one is not.
        let total = start.duration(to: now)
        #expect(seconds > 0.7 ? total > .seconds(10.1) : total == .seconds(10))
    }

    @Test func `A burst of frames without times takes the time of 25 frames a second`() throws {
        var pace = StreamPace()
        let start = ContinuousClock.now
        var now = start
        for index in 0..<100 {
            if index == 10 { now += .seconds(4) }
            let delay = pace.delay(before: nil, at: now)
            now += try #require(delay)
        }
        #expect(start.duration(to: now) >= .seconds(4 + 99 * 0.036))
    }

    @Test("A stream that is joined with another one goes on, and one whose times do not grow has no speed")
    func jumps() {
        let part = (0..<250).map { Duration.milliseconds(40 * $0) }
        let joined = Self.duration(part + part + part)
        #expect(joined! >= .seconds(29) && joined! <= .seconds(31))
        #expect(Self.duration([Duration](repeating: .zero, count: 100)) == nil)
        #expect(Self.duration((0..<100).map { .seconds($0 % 2 * 100) }) == nil)
    }
}
