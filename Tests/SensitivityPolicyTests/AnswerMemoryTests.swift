// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SensitivityPolicy

@Suite("What counts while the parental controls are silent")
struct AnswerMemoryTests {
    static let start = ContinuousClock.now
    static let silence = ParentalControlsState.unanswered("nothing")

    @Test("While the parental controls are silent, their last restriction stays for ever")
    func restricted() {
        for answer in [
            PolicySnapshotTests.restricted, .answered(OARSFilter(scheme: "new", sections: [:])),
        ] {
            var memory = AnswerMemory()
            #expect(memory.state(after: answer, at: Self.start) == answer)
            #expect(memory.state(after: Self.silence, at: Self.start) == answer)
            #expect(memory.state(after: Self.silence, at: Self.start + .seconds(100_000)) == answer)
        }
    }

    @Test("While the parental controls are silent, an answer without a restriction stays for ten seconds")
    func free() {
        for answer in [PolicySnapshotTests.free, .answered(nil)] {
            var memory = AnswerMemory()
            #expect(memory.state(after: answer, at: Self.start) == answer)
            let silent = Self.start + .seconds(1000)
            #expect(memory.state(after: Self.silence, at: silent) == answer)
            #expect(memory.state(after: Self.silence, at: silent + .milliseconds(9999)) == answer)
            #expect(memory.state(after: Self.silence, at: silent + .seconds(10)) == Self.silence)
            #expect(memory.state(after: answer, at: silent + .seconds(11)) == answer)
            #expect(memory.state(after: Self.silence, at: silent + .seconds(12)) == answer)
        }
    }

    @Test("Without any answer of the parental controls there is nothing to remember")
    func never() {
        var memory = AnswerMemory()
        #expect(memory.state(after: Self.silence, at: Self.start) == Self.silence)
    }
}
