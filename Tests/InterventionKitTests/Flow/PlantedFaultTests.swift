// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import InterventionKit
import SensitiveContentAnalysis
import Testing

@Suite("A fault in the table")
struct PlantedFaultTests {
    @Test("A row with another target or request, or a missing row, is found")
    func rows() async {
        let outcome = await Self.outcome(
            of: PlantedFault.inTargets + PlantedFault.inRequests + PlantedFault.missingRows)
        #expect(outcome.missed == [])
        // docs/interventions.md states these numbers.
        #expect(PlantedFault.inTargets.count + PlantedFault.inRequests.count + PlantedFault.missingRows.count == 299)
        #expect(PlantedFault.inStages.count + PlantedFault.inConditions.count == 635)
    }

    @Test("A fault in the stages or the conditions of a row is found, unless it changes nothing")
    func conditions() async {
        let outcome = await Self.outcome(of: PlantedFault.inStages + PlantedFault.inConditions)
        #expect(outcome.missed == [] && outcome.idleCount == 320)
    }

    /// Returns the faults that the enumeration does not find, and the number of faults that change nothing.
    private static func outcome(of faults: [PlantedFault]) async -> (missed: [String], idleCount: Int) {
        var missed: [String] = []
        var idleCount = 0
        for fault in faults {
            // The loop takes half a minute of processor time, so it lets other tasks run.
            await Task.yield()
            if fault.changesNothing {
                idleCount += 1
                continue
            }
            let isFound = FlowEnumerationTests.starts.contains {
                FlowEnumeration($0.policy, $0.direction, table: fault.table).fault != nil
            }
            if !isFound { missed.append(fault.what) }
        }
        print(
            "\(faults.count) faults planted, \(faults.count - missed.count - idleCount) found, \(idleCount) of no effect"
        )
        return (missed, idleCount)
    }
}
