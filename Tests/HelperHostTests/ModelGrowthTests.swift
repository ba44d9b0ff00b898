// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HelperHost

@Suite("The change to a process for all cores")
struct ModelGrowthTests {
    @Test("The process for all cores starts once pictures have waited for two seconds together, and only once")
    func patience() {
        let growth = ModelGrowth(canGrow: true)
        #expect(!growth.arrived() && !growth.arrived())
        #expect(!growth.wantsMore(afterWaiting: .milliseconds(1900)))
        #expect(growth.wantsMore(afterWaiting: .milliseconds(100)))
        #expect(!growth.wantsMore(afterWaiting: .seconds(5)))
        growth.ended(true)
        #expect(growth.isFull && !growth.isFirstDone)
        growth.left(false)
        growth.left(false)
        #expect(growth.isFirstDone)
    }

    @Test("The process for all cores does not start on one core, or if pictures wait only now and then")
    func pauses() {
        let growth = ModelGrowth(canGrow: true)
        for _ in 0..<10 {
            _ = growth.arrived()
            #expect(!growth.wantsMore(afterWaiting: .seconds(1)))
            growth.left(false)
        }
        let single = ModelGrowth(canGrow: false)
        _ = single.arrived()
        #expect(!single.wantsMore(afterWaiting: .seconds(100)))
    }

    @Test("The process for all cores is not tried again within a minute after a failure")
    func failure() {
        let growth = ModelGrowth(canGrow: true)
        let start = ContinuousClock.now
        _ = growth.arrived(at: start)
        #expect(growth.wantsMore(afterWaiting: .seconds(3), at: start))
        growth.ended(false, at: start)
        #expect(!growth.isFull && !growth.wantsMore(afterWaiting: .seconds(30), at: start + .seconds(59)))
        #expect(growth.wantsMore(afterWaiting: .seconds(3), at: start + .seconds(60)))
    }

    @Test("The process for all cores ends after a minute without a picture")
    func rest() {
        let growth = ModelGrowth(canGrow: true)
        let start = ContinuousClock.now
        growth.ended(true)
        #expect(growth.arrived(at: start))
        growth.left(true, at: start)
        #expect(growth.arrived(at: start + .seconds(60)))
        #expect(growth.arrived(at: start + .seconds(300)))
        growth.left(true, at: start + .seconds(301))
        growth.left(true, at: start + .seconds(302))
        #expect(!growth.arrived(at: start + .seconds(363)))
    }
}
