// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HelperHost

@Suite("The load of a decoder pool")
struct PoolLoadTests {
    private let now = ContinuousClock.now

    @Test("A pool that had no trouble wants no room, however many tasks wait")
    func patience() {
        let load = PoolLoad()
        for _ in 0..<1000 { load.startedWaiting() }
        #expect(!load.wantsRoom(at: now) && !load.isInTrouble(at: now))
    }

    @Test("A pool is in trouble for sixty seconds after a file has crashed a decoder or used up its time")
    func trouble() {
        let load = PoolLoad()
        load.noteTrouble(at: now)
        for (seconds, isInTrouble) in [(0, true), (30, true), (59.999, true), (60, false), (1e6, false)] {
            #expect(load.isInTrouble(at: now + .seconds(seconds)) == isInTrouble, "\(seconds)")
        }
    }

    @Test("New trouble lets the sixty seconds begin again")
    func newTrouble() {
        let load = PoolLoad()
        load.noteTrouble(at: now)
        load.noteTrouble(at: now + .seconds(50))
        #expect(load.isInTrouble(at: now + .seconds(109)))
        #expect(!load.isInTrouble(at: now + .seconds(110)))
    }

    @Test("A pool in trouble wants room while any task waits, and only then")
    func waiting() {
        let load = PoolLoad()
        load.noteTrouble(at: now)
        #expect(!load.wantsRoom(at: now))
        load.startedWaiting()
        load.startedWaiting()
        #expect(load.wantsRoom(at: now))
        load.stoppedWaiting()
        #expect(load.wantsRoom(at: now))
        load.stoppedWaiting()
        #expect(!load.wantsRoom(at: now) && load.isInTrouble(at: now))
    }

    @Test("A pool with waiting tasks wants no more room once its trouble is over")
    func trustAgain() {
        let load = PoolLoad()
        load.startedWaiting()
        load.noteTrouble(at: now)
        #expect(load.wantsRoom(at: now + .seconds(59)))
        #expect(!load.wantsRoom(at: now + .seconds(60)))
    }

    @Test("A file that has crashed a decoder is tried once more only, and another one patiently")
    func postponed() {
        #expect(DecodingPostponed().urgency == .patient)
        #expect(DecodingPostponed(hasCrashed: true).urgency == .lastAttempt)
    }
}
