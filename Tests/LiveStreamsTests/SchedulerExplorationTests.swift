// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

/// All orders of inputs to the scheduler of three streams, each output checked by an oracle.
@Suite struct SchedulerExplorationTests {
    /// An input to the scheduler; streams are counted from 0.
    enum Input: Hashable {
        case frame(Int, look: Int)
        case begin, endOldest, endNewest, fail, supersede
        case shortTime, longTime
        case tighten(Int)
        case resume(Int, accepts: Bool)
        case resumeParticipant
        case remove(Int)
        /// A stream of the first participant begins later than the others.
        case add
    }

    /// The inputs of the enumeration.
    ///
    /// The second stream has the participant of the first, and the third has another.
    static let inputs: [Input] = [
        .frame(0, look: 1), .frame(0, look: 2), .frame(0, look: 3), .frame(1, look: 1), .frame(1, look: 3),
        .frame(2, look: 1), .frame(2, look: 3), .begin, .endOldest, .endNewest, .fail, .supersede, .shortTime,
        .longTime,
        .tighten(0), .resume(0, accepts: false), .resume(1, accepts: true), .resumeParticipant,
        .remove(1), .remove(2), .add, .frame(3, look: 3),
    ]

    @Test func `No order of four inputs to three streams breaks a rule of the scheduler`() {
        // Without a frame, no other input has an effect.
        let frames: [Input] = [.frame(0, look: 1), .frame(0, look: 2), .frame(0, look: 3)]
        #expect(SchedulerOracle().explore(Self.inputs, first: frames, depth: 4) == nil)
    }

    @Test func `No long random order of inputs to three streams breaks a rule of the scheduler`() {
        // A removed stream ends most of what can happen, so it is rare.
        let usual = Self.inputs.filter { if case .remove = $0 { false } else { true } } + [.begin, .begin, .endOldest]
        for seed in 1...UInt64(400) {
            if let fault = SchedulerOracle().walk(seed: seed, length: 80, { $0 % 20 == 19 ? Self.inputs : usual }) {
                Issue.record("\(fault)")
                return
            }
        }
    }
}
