// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import AnalysisEngine

@Suite("The watch over a decoder that comes no further")
struct StallWatchTests {
    private let limit = Duration.seconds(10)

    /// A watch over a decoder that works all the time, and the time that passes.
    private final class Time {
        var now = Duration.zero
    }

    private let time = Time()

    private func watch() -> StallWatch {
        StallWatch(limit: limit, work: { [time] in time.now }, now: { [time] in time.now })
    }

    /// Notes progress at a second, and returns whether the watch reports a stall.
    private func isStalled(_ watch: inout StallWatch, _ share: Double, _ position: Duration, at second: Double) -> Bool
    {
        time.now = .seconds(second)
        do throws(AnalysisFailure) {
            try watch.note(share, position)
            return false
        } catch {
            return error.code == .timedOut
        }
    }

    @Test("A stall watch gives up when nothing has changed for its limit, and not before")
    func limits() {
        var watch = self.watch()
        #expect(!isStalled(&watch, 0.1, .seconds(1), at: 3))
        #expect(!isStalled(&watch, 0.1, .seconds(1), at: 12.999))
        #expect(isStalled(&watch, 0.1, .seconds(1), at: 13))
    }

    @Test("A stall watch accepts the first progress however late it comes")
    func firstProgress() {
        var watch = self.watch()
        #expect(!isStalled(&watch, 0, .zero, at: 1000))
        #expect(isStalled(&watch, 0, .zero, at: 1010))
    }

    @Test("Progress in the share or in the position alone lets the time begin again")
    func progress() {
        var watch = self.watch()
        #expect(!isStalled(&watch, 0.1, .seconds(1), at: 0))
        #expect(!isStalled(&watch, 0.2, .seconds(1), at: 9))
        #expect(!isStalled(&watch, 0.2, .seconds(2), at: 18))
        #expect(!isStalled(&watch, 0.2, .seconds(2), at: 27))
        #expect(isStalled(&watch, 0.2, .seconds(2), at: 28))
    }

    @Test func `A decoder that goes back and forth makes no progress`() {
        var watch = self.watch()
        #expect(!isStalled(&watch, 0.5, .seconds(5), at: 0))
        #expect(!isStalled(&watch, 0.4, .seconds(6), at: 1))
        for second in 2...10 {
            let isBack = second % 2 == 0
            #expect(!isStalled(&watch, isBack ? 0.5 : 0.4, .seconds(isBack ? 5 : 6), at: Double(second)))
        }
        #expect(isStalled(&watch, 0.5, .seconds(5), at: 11))
    }
}
