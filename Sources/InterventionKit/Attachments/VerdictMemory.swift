// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Hashing
internal import SensitiveContentAnalysis

/// The judgements of recently checked contents, kept in memory only.
struct VerdictMemory: Sendable {
    struct Key: Sendable, Hashable {
        let digest: SHA256Digest
        let kind: MediaKind
        let policy: SCSensitivityAnalysisPolicy
        /// The conditions besides the policy, such as the model.
        let conditions: [String]
    }

    private let capacity: Int
    private var judgements: [Key: MediaJudgement] = [:]
    /// The keys of the judgements, the oldest first.
    private var keys: [Key] = []

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    func judgement(_ key: Key) -> MediaJudgement? { judgements[key] }

    /// Keeps a judgement unless it is unknown, and drops the oldest judgements above the capacity.
    mutating func keep(_ judgement: MediaJudgement, for key: Key) {
        guard capacity > 0, judgement.verdict != .unknown else { return }
        if judgements.updateValue(judgement, forKey: key) == nil { keys.append(key) }
        guard keys.count > capacity else { return }
        // Dropping a quarter at once makes the average cost small.
        let count = max(1, capacity / 4)
        for key in keys.prefix(count) { judgements[key] = nil }
        keys.removeFirst(count)
    }
}
