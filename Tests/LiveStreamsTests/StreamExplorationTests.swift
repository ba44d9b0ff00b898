// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import LiveStreams
import Testing

/// All orders of inputs to a stream, each output checked by an oracle.
@Suite struct StreamExplorationTests {
    /// A stream and its oracle after some inputs.
    struct Node: ExploredNode {
        var state = ManualStream(terms: .simple, gateDelay: .milliseconds(StreamOracle.delay))
        var oracle = StreamOracle()
        var findings = 0

        var now: ManualInstant { .ms(oracle.now) }

        /// Applies an input, and returns the first fault that it shows.
        mutating func apply(_ input: StreamInput) -> String? {
            let wasPaused = oracle.pausedSince != nil
            if let fault = act(input) { return fault }
            state.advance(to: now)
            if let fault = oracle.fault(of: state) ?? eventFault(wasPaused) { return fault }
            while true {
                let (release, _) = state.release(at: now)
                switch release {
                case nil: return oracle.fault(of: state)
                case .frame(let frame)?:
                    if let fault = oracle.fault(of: frame.number, isShown: true) { return fault }
                case .cover(let frame, _)?:
                    if let fault = oracle.fault(of: frame.number, isShown: false) { return fault }
                }
            }
        }

        private mutating func eventFault(_ wasPaused: Bool) -> String? {
            let found = state.takeEvents().filter {
                if case .finding(let found) = $0 { !found.isHarmless } else { false }
            }
            let expected = !wasPaused && oracle.pausedSince != nil ? 1 : 0
            return found.count == expected ? nil : "\(found.count) findings were reported, and not \(expected)"
        }

        private mutating func act(_ input: StreamInput) -> String? {
            switch input {
            case .harmlessFrame: frame(1)
            case .suspectFrame: frame(2)
            case .strongFrame: frame(3)
            case .begin:
                guard let wanted = state.wanted(at: now) else { return nil }
                oracle.begin(wanted.frame.number, as: state.beginAnalysis(at: now) ?? 0)
            case .endNewest: end(oracle.running.count - 1)
            case .endOldest: end(0)
            case .fail:
                guard !oracle.running.isEmpty else { return nil }
                state.failed(oracle.fail(at: 0), .timedOut, at: now)
            case .shortTime: oracle.pass(60)
            case .longTime: oracle.pass(1001)
            case .tighten: change(.descriptive)
            case .relax: change(.simple)
            case .disable: change(.disabled)
            case .resume: resume(accepts: false)
            case .accept: resume(accepts: true)
            case .adopt:
                state.adopt(.scripted(.strong), at: now, origin: 9)
                oracle.pause()
            }
            return nil
        }

        private mutating func frame(_ look: Int) {
            let number = oracle.frame(look)
            state.arrive(ManualStream.Frame(number: number, arrival: now, picture: NumberedLook(look: look)))
        }

        private mutating func end(_ index: Int) {
            guard oracle.running.indices.contains(index) else { return }
            let (number, level, policy) = oracle.end(at: index)
            state.judged(number, .scripted(level, policy: policy), at: now)
        }

        private mutating func change(_ policy: AnalysisPolicy) {
            oracle.change(policy)
            state.change(StreamTerms(policy: policy), at: now)
        }

        private mutating func resume(accepts: Bool) {
            state.continueStream(accepts: accepts, at: now)
            oracle.resume(accepts: accepts)
        }
    }

    @Test func `No order of five inputs shows an unjudged frame or breaks another rule`() {
        // Without a frame, no other input has an effect.
        let frames: [StreamInput] = [.harmlessFrame, .suspectFrame, .strongFrame]
        #expect(Node().explore(StreamInput.allCases, first: frames, depth: 5) == nil)
    }

    /// The number of random orders: enough for the gate to find each planted fault.
    private static let walkCount: UInt64 = 1000

    @Test func `No long random order of inputs shows an unjudged frame or breaks another rule`() {
        // Frames, beginnings and ends are more frequent than decisions and changes of the policy.
        let frequent: [StreamInput] = [.harmlessFrame, .harmlessFrame, .begin, .begin, .endNewest, .endOldest]
        let inputs = frequent + StreamInput.allCases
        for seed in 1...Self.walkCount {
            if let fault = Node().walk(seed: seed, length: 80, { _ in inputs }) {
                Issue.record("\(fault)")
                return
            }
        }
    }
}
