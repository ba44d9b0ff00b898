// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ModelInference

@Suite("The gate between the use of OpenVINO and the end of the process")
struct GateTests {
    @Test("closes although there is always somebody inside, and lets nobody in afterwards")
    func closing() {
        let gate = Gate()
        let entries = Shared(0)
        for _ in 0..<3 {
            Thread.detachNewThread {
                // Those who come after the closing wait for ever; the process of the tests ends without them.
                while true {
                    gate.enter()
                    entries.change { $0 += 1 }
                    Thread.sleep(forTimeInterval: 0.02)
                    gate.leave()
                }
            }
        }
        while entries.value < 10 { Thread.sleep(forTimeInterval: 0.01) }
        let isClosed = Shared(false)
        Thread.detachNewThread {
            gate.close()
            isClosed.change { $0 = true }
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while !isClosed.value && ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.01) }
        #expect(isClosed.value)
        let atClosing = entries.value
        Thread.sleep(forTimeInterval: 0.2)
        #expect(entries.value == atClosing)
    }
}
