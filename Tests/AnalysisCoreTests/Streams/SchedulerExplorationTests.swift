// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import TestSupport
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

    /// Returns the first fault of all orders of inputs up to a length.
    static func explore(_ node: SchedulerOracle, depth: Int, _ path: [Input] = []) -> String? {
        guard depth > 0 else { return nil }
        for input in inputs {
            // Without a frame, no other input has an effect.
            if path.isEmpty, ![.frame(0, look: 1), .frame(0, look: 2), .frame(0, look: 3)].contains(input) { continue }
            var next = node
            if let fault = next.apply(input) { return "\(path + [input]): \(fault)" }
            if let fault = explore(next, depth: depth - 1, path + [input]) { return fault }
        }
        return nil
    }

    /// Returns the first fault of a long random order of inputs.
    static func walk(seed: UInt64, length: Int) -> String? {
        var (node, generator, path) = (SchedulerOracle(), SplitMix64(state: seed), [Input]())
        // A removed stream ends most of what can happen, so it is rare.
        let usual = inputs.filter { if case .remove = $0 { false } else { true } } + [.begin, .begin, .endOldest]
        for step in 0..<length {
            let input = (step % 20 == 19 ? inputs : usual).randomElement(using: &generator)!
            path.append(input)
            if let fault = node.apply(input) { return "seed \(seed), \(path.suffix(12)): \(fault)" }
        }
        return nil
    }

    @Test("no order of four inputs to three streams breaks a rule of the scheduler")
    func noOrderOfFourInputs() {
        #expect(Self.explore(SchedulerOracle(), depth: 4) == nil)
    }

    @Test("no long random order of inputs to three streams breaks a rule of the scheduler")
    func noLongRandomOrder() {
        for seed in 1...UInt64(400) {
            if let fault = Self.walk(seed: seed, length: 80) {
                Issue.record("\(fault)")
                return
            }
        }
    }
}
