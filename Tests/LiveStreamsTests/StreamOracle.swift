// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import LiveStreams

/// An input to a stream in an exploration.
enum StreamInput: Hashable, CaseIterable {
    case harmlessFrame, suspectFrame, strongFrame
    /// The wanted analysis begins, although it might wait.
    case begin
    /// The analysis that began last ends with what its frame shows, or with a failure.
    case endNewest, endOldest, fail
    case shortTime, longTime
    case tighten, relax, disable
    case resume, accept
    case adopt
}

/// The facts about a stream, kept apart from its state, by which each output is checked.
///
/// The oracle keeps the history of inputs. It has no rule in common with the state that it checks.
struct StreamOracle {
    private(set) var now: Int
    private(set) var terms = StreamTerms.simple
    private(set) var frames: [(number: Int, look: Int, time: Int)] = []
    /// The analyses that run: their own numbers, the numbers of their frames, and the terms at their beginnings.
    private(set) var running: [(analysis: Int, number: Int, terms: StreamTerms)] = []
    /// The delivered results under the terms in force, by the number of the frame.
    private var results: [Int: StreamFinding.Level] = [:]
    /// The time of the latest result of each frame.
    private var ends: [Int: Int] = [:]
    /// The time of the finding for which the stream waits.
    private(set) var pausedSince: Int?
    private var lastPause: Int?
    private var acceptedUntil: Int?
    private var isAccepting = false
    private var answered: Set<Int> = []
    /// The time from which on the newest frames are unjudged.
    private var unjudgedSince: Int?
    /// The time until which a stream that was late stays late.
    private var lateUntil: Int?
    /// The number of the latest frame whose analysis failed, until a frame from it on is judged.
    private var failedSince: Int?
    private var hasFailed: Bool { failedSince != nil }
    private var failed: Set<Int> = []
    private var lastRelease = 0

    static let delay = 100

    init(now: Int = 0) { self.now = now }

    /// The level of what a look shows under a policy: looks 2 are suspected by the policy for children only.
    static func level(_ look: Int, _ policy: AnalysisPolicy) -> StreamFinding.Level {
        look == 1 ? .harmless : look == 3 ? .strong : policy == .descriptive ? .suspected : .harmless
    }

    var isAnalysing: Bool { pausedSince == nil && terms.policy != .disabled }

    mutating func frame(_ look: Int) -> Int {
        frames.append((frames.count + 1, look, now))
        if isAnalysing { unjudgedSince = unjudgedSince ?? now }
        return frames.count
    }

    mutating func begin(_ number: Int, as analysis: Int) { running.append((analysis, number, terms)) }

    /// Returns the result of a running analysis, and notes it.
    mutating func end(at index: Int) -> (analysis: Int, level: StreamFinding.Level, policy: AnalysisPolicy) {
        let (analysis, number, old) = running.remove(at: index)
        let level = Self.level(frames[number - 1].look, old.policy)
        guard old == terms, terms.policy != .disabled else { return (analysis, level, old.policy) }
        let wasLate = isAnalysing && !hasFailed && (isUnjudged || !hasDisagreement) && isOverdue
        results[number] = level
        ends[number] = now
        failed.remove(number)
        answered.remove(number)
        guard isAnalysing else { return (analysis, level, old.policy) }
        if failedSince ?? 0 <= number { failedSince = nil }
        if number == results.keys.max() {
            unjudgedSince = number < frames.count ? frames[number - 1].time : nil
            if wasLate { lateUntil = now + 500 }
        }
        if isAccepting, level == .harmless, frames[number - 1].time - (acceptedUntil ?? 0) >= 2000 {
            isAccepting = false
        } else if isAccepting, level != .harmless, frames[number - 1].time - (acceptedUntil ?? 0) >= 2000 {
            isAccepting = false
        } else if isAccepting, level != .harmless {
            acceptedUntil = max(acceptedUntil ?? 0, frames[number - 1].time)
        }
        if level != .harmless, !isAccepting {
            let near = [results.keys.filter { $0 < number }.max(), results.keys.filter { $0 > number }.min()]
            let isConfirmed = near.compactMap { $0 }.contains { results[$0] != .harmless && !answered.contains($0) }
            if level == .strong || isConfirmed { pause() }
        }
        return (analysis, level, old.policy)
    }

    mutating func fail(at index: Int) -> Int {
        let (analysis, number, old) = running.remove(at: index)
        if isAnalysing, old == terms {
            failedSince = max(failedSince ?? 0, number)
            failed.insert(number)
            if !frames.isEmpty { unjudgedSince = unjudgedSince ?? now }
        }
        return analysis
    }

    /// Removes an analysis whose terms were superseded before it began.
    mutating func supersede(at index: Int) {
        _ = running.remove(at: index)
        if isAnalysing, !frames.isEmpty { unjudgedSince = unjudgedSince ?? now }
    }

    mutating func pass(_ milliseconds: Int) {
        now += milliseconds
        guard isAnalysing, let last = results.keys.max(), results[last] != .harmless, !answered.contains(last),
            !isAccepting, now - ends[last]! >= 1000
        else { return }
        pause()
    }

    mutating func change(_ policy: AnalysisPolicy) {
        guard policy != terms.policy else { return }
        if policy > terms.policy { isAccepting = false }
        terms = StreamTerms(policy: policy)
        results = [:]
        answered = []
        failedSince = nil
        if !isAnalysing { unjudgedSince = nil } else if !frames.isEmpty { unjudgedSince = unjudgedSince ?? now }
    }

    mutating func resume(accepts: Bool) {
        guard pausedSince != nil else { return }
        pausedSince = nil
        isAccepting = accepts
        acceptedUntil = now
        answered = Set(results.keys)
        if terms.policy != .disabled, !frames.isEmpty { unjudgedSince = now }
    }

    mutating func pause() {
        guard isAnalysing else { return }
        (pausedSince, lastPause, unjudgedSince) = (now, now, nil)
    }

    /// Returns the fault of a release, or nil.
    mutating func fault(of number: Int, isShown: Bool) -> String? {
        defer { lastRelease = number }
        let frame = frames[number - 1]
        if number <= lastRelease { return "frame \(number) left after frame \(lastRelease)" }
        if now < frame.time + Self.delay { return "frame \(number) left before its time" }
        let (results, isAccepting) = (results, isAccepting)
        let mayShow = { (number: Int) in results[number] == .harmless || results[number] != nil && isAccepting }
        let isHeld = lastPause.map { now < $0 + 2000 } ?? false
        let mustCover = !isAnalysing || isHeld && !isAccepting
        if isShown {
            if mustCover { return "frame \(number) was shown where everything is covered" }
            let near = results.keys.filter { abs(frames[$0 - 1].time - frame.time) <= 1000 }
            let vouchers = near.filter { frames[$0 - 1].look == frame.look && mayShow($0) }
            if failed.contains(number), results[number] == nil {
                return "frame \(number) was shown although its analysis failed"
            }
            if vouchers.isEmpty { return "frame \(number) was shown and nothing like it was judged" }
            if results[number] != nil, !mayShow(number) { return "frame \(number) was shown and is sensitive" }
        } else if mayShow(number), !mustCover {
            return "frame \(number) was covered although it was judged"
        }
        return nil
    }

    /// Returns the fault of a state, or nil.
    func fault(of state: ManualStream) -> String? {
        let time = ManualInstant.ms(now)
        if (state.activeFinding != nil) != (pausedSince != nil) { return "the stream waits for the person or not" }
        let wanted = state.wanted(at: time)
        if !isAnalysing, wanted != nil { return "an analysis is wanted although none may begin" }
        let newest = frames.last?.number ?? 0
        let isKnown = results[newest] != nil || running.contains { $0.number == newest && $0.terms == terms }
        if isAnalysing, newest > 0, !isKnown, wanted?.frame.number != newest { return "the newest frame is forgotten" }
        if let wanted, wanted.earliest > time.advanced(by: .milliseconds(500)) { return "an analysis is postponed" }
        if let wanted, wanted.due > max(time, wanted.frame.arrival).advanced(by: .milliseconds(500)) {
            return "a deadline lies too far ahead"
        }
        return fault(of: state.status(at: time))
    }

    /// Whether the latest result is a suspicion that nobody has answered.
    private var hasDisagreement: Bool {
        results.keys.max().map { results[$0] != .harmless && !answered.contains($0) && !isAccepting } ?? false
    }

    /// Whether there is no result; after the person's answer, a new one is needed.
    private var isUnjudged: Bool {
        results.keys.max().map(answered.contains) ?? true
    }

    private var isOverdue: Bool { unjudgedSince.map { now - $0 >= 1000 } ?? false }

    private func fault(of status: StreamStatus) -> String? {
        let isLate = isOverdue || lateUntil.map { now < $0 } ?? false
        let expected: Bool =
            switch status {
            case .covered: pausedSince != nil || isAnalysing && hasDisagreement && !hasFailed
            case .unknown(.disabled): pausedSince == nil && terms.policy == .disabled
            case .unknown(.failed): isAnalysing && hasFailed
            case .unknown(.notYetJudged): isAnalysing && !hasFailed && isUnjudged && !isOverdue
            case .unknown(.late): isAnalysing && !hasFailed && (isUnjudged ? isOverdue : !hasDisagreement && isLate)
            case .judged: isAnalysing && !hasFailed && !isUnjudged && !hasDisagreement && !isLate
            }
        return expected ? nil : "the status is \(status)"
    }
}
