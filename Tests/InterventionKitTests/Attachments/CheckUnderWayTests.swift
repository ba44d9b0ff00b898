// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import SensitiveContentAnalysis
import TestSupport
import Testing

@testable import InterventionKit

@Suite("A check under way")
struct CheckUnderWayTests {
    @Test(
        "A check reports its progress to the callers that wait, and not to callers that have gone",
        .timeLimit(.minutes(1)))
    func progress() async throws {
        let (share, isDone) = (Shared(0.25), Shared(false))
        let check = CheckUnderWay { report in
            while !isDone.value {
                report(share.value)
                try await Task.sleep(for: .milliseconds(2))
            }
            return MediaJudgement(verdict: .notSensitive, policy: .simpleInterventions)
        }
        let (leaver, stayer) = (Shared<Set<Double>>([]), Shared<Set<Double>>([]))
        let leaving = Task { try await check.judgement({ told in leaver.change { $0.insert(told) } }, whenIdle: {}) }
        let staying = Task { try await check.judgement({ told in stayer.change { $0.insert(told) } }, whenIdle: {}) }
        func until(_ holds: () -> Bool) async throws {
            while !holds() { try await Task.sleep(for: .milliseconds(2)) }
        }
        try await until { leaver.value == [0.25] && stayer.value == [0.25] }
        leaving.cancel()
        _ = try? await leaving.value
        share.change { $0 = 0.5 }
        try await until { stayer.value == [0.25, 0.5] }
        #expect(leaver.value == [0.25])
        isDone.change { $0 = true }
        #expect(try await staying.value.verdict == .notSensitive)
    }
}
