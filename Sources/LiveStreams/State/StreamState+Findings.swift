// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension StreamState {
    /// Decides what the judgement at an index means for the stream.
    mutating func decide(at index: Int, _ now: Instant, _ origin: Int) {
        let finding = judgements[index].finding
        guard !isAllowed(finding) else {
            // Listeners heard of a failure last, which only a later frame ends.
            if index == judgements.count - 1, finding.isHarmless, failure == nil { report(finding) }
            return
        }
        let neighbours = [index - 1, index + 1].filter(judgements.indices.contains).map { judgements[$0] }
        if let other = neighbours.first(where: { !$0.isAnswered && !isAllowed($0.finding) }) {
            find(finding.joined(with: other.finding), now, origin)
        } else if finding.level == .strong {
            find(finding, now, origin)
        }
    }

    /// Stops the analysis until the person decides.
    mutating func find(_ finding: StreamFinding, _ now: Instant, _ origin: Int) {
        activeFinding = ActiveFinding(finding: finding, since: now, origin: origin)
        unjudgedSince = nil
        report(finding)
    }

    /// Reports a finding to listeners, if it differs in its meaning from the last report.
    private mutating func report(_ finding: StreamFinding) {
        guard reported?.isHarmless != true || !finding.isHarmless else { return }
        reported = finding
        events.append(.finding(finding))
    }

    /// Ends the person's decision when the content was absent for long enough.
    mutating func noteAcceptance(_ judgement: Judgement) {
        guard var known = acceptance, !judgement.finding.isHarmless else { return }
        if known.lastFound.duration(to: judgement.frame.arrival) >= timing.acceptance {
            // The content was away for so long that it is new to the person.
            acceptance = nil
        } else if isAllowed(judgement.finding) {
            known.lastFound = max(known.lastFound, judgement.frame.arrival)
            acceptance = known
        }
    }

    /// Drops the judgements that no frame in the gate and no later judgement needs.
    mutating func dropOldJudgements() {
        let oldest = held.first?.number ?? .max
        let needed = judgements.lastIndex { $0.frame.number <= oldest } ?? 0
        judgements.removeFirst(min(needed, max(0, judgements.count - Self.leastJudgements)))
    }

    /// The number of judgements that are kept at least, because results may arrive in another order than frames.
    private static var leastJudgements: Int { 4 }
}
