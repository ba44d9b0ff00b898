// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import AnalysisEngine

@Suite("The watch over a decoder that comes no further")
struct StallWatchTests {
    private let start = ContinuousClock.now
    private let limit = Duration.seconds(10)

    private func seconds(_ count: Double) -> ContinuousClock.Instant { start + .seconds(count) }

    /// Notes progress, and returns whether the watch reports a stall.
    private func isStalled(
        _ watch: inout StallWatch, _ share: Double, _ position: Duration, at now: ContinuousClock.Instant
    ) -> Bool {
        do throws(AnalysisFailure) {
            try watch.note(share, position, at: now)
            return false
        } catch {
            return error.code == .timedOut
        }
    }

    @Test("A stall watch gives up when nothing has changed for its limit, and not before")
    func limits() {
        var watch = StallWatch(limit: limit, at: start)
        #expect(!isStalled(&watch, 0.1, .seconds(1), at: seconds(3)))
        #expect(!isStalled(&watch, 0.1, .seconds(1), at: seconds(12.999)))
        #expect(isStalled(&watch, 0.1, .seconds(1), at: seconds(13)))
    }

    @Test("A stall watch accepts the first progress however late it comes")
    func firstProgress() {
        var watch = StallWatch(limit: limit, at: start)
        #expect(!isStalled(&watch, 0, .zero, at: seconds(1000)))
        #expect(isStalled(&watch, 0, .zero, at: seconds(1010)))
    }

    @Test("Progress in the share or in the position alone lets the time begin again")
    func progress() {
        var watch = StallWatch(limit: limit, at: start)
        #expect(!isStalled(&watch, 0.1, .seconds(1), at: seconds(0)))
        #expect(!isStalled(&watch, 0.2, .seconds(1), at: seconds(9)))
        #expect(!isStalled(&watch, 0.2, .seconds(2), at: seconds(18)))
        #expect(!isStalled(&watch, 0.2, .seconds(2), at: seconds(27)))
        #expect(isStalled(&watch, 0.2, .seconds(2), at: seconds(28)))
    }

    @Test func `A decoder that goes back and forth makes no progress`() {
        var watch = StallWatch(limit: limit, at: start)
        #expect(!isStalled(&watch, 0.5, .seconds(5), at: seconds(0)))
        #expect(!isStalled(&watch, 0.4, .seconds(6), at: seconds(1)))
        for second in 2...10 {
            let isBack = second % 2 == 0
            #expect(!isStalled(&watch, isBack ? 0.5 : 0.4, .seconds(isBack ? 5 : 6), at: seconds(Double(second))))
        }
        #expect(isStalled(&watch, 0.5, .seconds(5), at: seconds(11)))
    }
}
