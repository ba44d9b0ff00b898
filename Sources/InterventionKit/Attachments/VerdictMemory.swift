// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Hashing
package import SensitiveContentAnalysis

/// The judgements of the last files, in memory only.
struct VerdictMemory: Sendable {
    struct Key: Sendable, Hashable {
        let digest: SHA256Digest
        let kind: MediaKind
        let policy: SCSensitivityAnalysisPolicy
        /// What else was in force, such as the model.
        let conditions: [String]
    }

    private let capacity: Int
    private var judgements: [Key: MediaJudgement] = [:]
    /// In the order in which they came.
    private var keys: [Key] = []

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    func judgement(_ key: Key) -> MediaJudgement? { judgements[key] }

    /// Keeps a judgement unless it is unknown, and forgets the oldest where there are too many.
    mutating func keep(_ judgement: MediaJudgement, for key: Key) {
        guard capacity > 0, judgement.verdict != .unknown else { return }
        if judgements.updateValue(judgement, forKey: key) == nil { keys.append(key) }
        guard keys.count > capacity else { return }
        // A quarter at once, so that keeping costs little on average.
        let count = max(1, capacity / 4)
        for key in keys.prefix(count) { judgements[key] = nil }
        keys.removeFirst(count)
    }
}

/// A verdict, and the policy under which it was made.
package struct MediaJudgement: Sendable, Hashable {
    /// What was found.
    package let verdict: MediaVerdict
    /// The policy whose thresholds were compared with.
    package let policy: SCSensitivityAnalysisPolicy

    package init(verdict: MediaVerdict, policy: SCSensitivityAnalysisPolicy) {
        self.verdict = verdict
        self.policy = policy
    }

    /// Whether it holds under a policy; what is harmless under a laxer one, whose thresholds are higher, may not be.
    func holds(under policy: SCSensitivityAnalysisPolicy) -> Bool {
        verdict != .notSensitive || self.policy.isAtLeastAsStrict(as: policy)
    }
}
