// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import TestSupport
import Testing

@testable import AnalysisEngine
@testable import HelperHost

@Suite("The queues of an engine")
struct AnalysisLanesTests {
    private static func lanes(ordinary: Int = 1, patient: Int = 1) -> AnalysisLanes {
        AnalysisLanes(ordinaryCount: ordinary, patientCount: patient) { false }
    }

    @Test("A file that does not give way is worked on once, as an ordinary one")
    func ordinary() async throws {
        let urgencies = Shared<[DecodingUrgency]>([])
        let value = try await Self.lanes().run { urgency in
            urgencies.change { $0.append(urgency) }
            return 7
        }
        #expect(value == 7 && urgencies.value == [.ordinary])
    }

    @Test("A file that gives way is worked on once more, patiently, and for the last time after a crash")
    func postponed() async throws {
        for (hasCrashed, second) in [(false, DecodingUrgency.patient), (true, .lastAttempt)] {
            let urgencies = Shared<[DecodingUrgency]>([])
            let value = try await Self.lanes().run { urgency in
                urgencies.change { $0.append(urgency) }
                if urgency == .ordinary { throw DecodingPostponed(hasCrashed: hasCrashed) }
                return 8
            }
            #expect(value == 8 && urgencies.value == [.ordinary, second])
        }
    }

    @Test("A file that has given way keeps no ordinary one waiting")
    func room() async throws {
        let lanes = Self.lanes()
        let (patient, hasBegun) = AsyncStream<Void>.makeStream()
        let (permission, mayEnd) = AsyncStream<Void>.makeStream()
        let slow = Task {
            try await lanes.run { urgency in
                if urgency == .ordinary { throw DecodingPostponed() }
                hasBegun.finish()
                for await _ in permission {}
            }
        }
        for await _ in patient {}
        // The only ordinary place is free, although the slow file has not ended.
        for number in 0..<5 { #expect(try await lanes.run { _ in number } == number) }
        mayEnd.finish()
        try await slow.value
    }

    @Test("No more files than allowed are worked on at once, neither as ordinary ones nor patiently")
    func counts() async throws {
        for counted in [DecodingUrgency.ordinary, .patient] {
            let isOrdinary = counted == .ordinary
            try await count(counted, in: Self.lanes(ordinary: isOrdinary ? 2 : 8, patient: isOrdinary ? 8 : 2))
        }
    }

    private func count(_ counted: DecodingUrgency, in lanes: AnalysisLanes) async throws {
        let atOnce = Shared((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await lanes.run { urgency in
                        guard urgency == counted else { throw DecodingPostponed() }
                        atOnce.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        await Task.yield()
                        atOnce.change { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(atOnce.value.now == 0 && (1...2).contains(atOnce.value.most))
    }

    @Test("A place is free again after a failure, and the failure reaches the caller as it is")
    func failures() async throws {
        let lanes = Self.lanes()
        for urgency in [DecodingUrgency.ordinary, .patient] {
            for _ in 0..<3 {
                await #expect {
                    try await lanes.run { current in
                        guard current == urgency else { throw DecodingPostponed() }
                        throw AnalysisFailure(.malformedMedia, "It is damaged.")
                    }
                } throws: { ($0 as? AnalysisFailure)?.code == .malformedMedia }
            }
        }
        await #expect(throws: CancellationError.self) { try await lanes.run { _ in throw CancellationError() } }
        #expect(try await lanes.run { _ in true })
    }

    @Test("A full queue is a limit that was exceeded, whose message says how many wait")
    func fullQueue() async throws {
        let pool = ResourcePool(maximumCount: 1, maximumWaitingCount: 0) {}
        try await pool.acquire()
        await #expect {
            try await AnalysisLanes.sayingHowManyWait { try await pool.acquire() }
        } throws: { error in
            let failure = error as? AnalysisFailure
            return failure?.code == .limitExceeded && failure?.message.hasPrefix("10000 inputs") == true
        }
    }
}
