// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import SCATool

@Suite("The doubts about a stream")
struct StreamDoubtsTests {
    private let start = ContinuousClock.now

    @Test("A loss refuses judgements for a second, and at least one")
    func lossLasts() {
        let doubts = StreamDoubts()
        #expect(doubts.reason(at: start) == nil)
        doubts.note(StreamDoubts.loss, at: start)
        #expect(doubts.reason(at: start + .milliseconds(100)) != nil)
        #expect(doubts.reason(at: start + .milliseconds(999)) != nil)
        #expect(doubts.reason(at: start + .milliseconds(1000)) == nil)
        doubts.note(StreamDoubts.loss, at: start)
        #expect(doubts.reason(at: start + .seconds(9)) != nil)
        #expect(doubts.reason(at: start + .seconds(9)) == nil)
    }

    @Test func `A later loss begins the second anew`() {
        let doubts = StreamDoubts()
        doubts.note(StreamDoubts.loss, at: start)
        #expect(doubts.reason(at: start) != nil)
        doubts.note(StreamDoubts.speed, at: start + .milliseconds(900))
        #expect(doubts.reason(at: start + .milliseconds(1800))?.message == StreamDoubts.speed.message)
    }
}
