// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HelperHost

@Suite("The time that a helper may work")
struct WorkClockTests {
    private final class Times {
        var passed = Duration.zero
        var work: Duration? = .zero
    }

    private let times = Times()
    private let limit = Duration.seconds(10)

    private func clock() -> WorkClock {
        WorkClock(limit: limit, processorTime: { [times] in times.work }, now: { [times] in times.passed })
    }

    /// Lets the helper work for a share of the time, a second after the other, and returns the second of its end.
    private func end(share: Double, within seconds: Int = 1000) -> Int? {
        (times.passed, times.work) = (.zero, .zero)
        var clock = clock()
        return (1...seconds).first { second in
            times.passed = .seconds(second)
            times.work = .seconds(Double(second) * share)
            return clock.remainingMilliseconds() == 0
        }
    }

    @Test("A helper that has a processor, or several, is ended when the limit has passed")
    func idleMachine() {
        #expect(end(share: 1) == 10)
        #expect(end(share: 2) == 10)
    }

    @Test("A helper on a busy machine is ended when its processor time has reached the limit")
    func busyMachine() {
        #expect(end(share: 0.5) == 20)
        #expect(end(share: 0.25) == 40)
    }

    @Test("A helper that makes hardly any use of processors is stuck after the limit")
    func stuck() {
        #expect(end(share: 0) == 10)
        #expect(end(share: 0.005) == 10)
    }

    @Test("A helper that becomes stuck later is ended after a further limit")
    func stuckLater() {
        var clock = clock()
        times.work = .seconds(5)
        var ends: [Int] = []
        for second in 1...60 {
            times.passed = .seconds(second)
            if clock.remainingMilliseconds() == 0 { ends.append(second) }
        }
        #expect(ends.first == 20)
    }

    @Test("No helper goes on for more than ten times the limit")
    func slowest() {
        #expect(end(share: 0.02) == 100)
    }

    @Test("Time that has passed counts where the processor time is unknown")
    func unknown() {
        times.work = nil
        var clock = clock()
        times.passed = .seconds(9)
        #expect(clock.remainingMilliseconds() == 1000)
        #expect(clock.spent == .seconds(9))
        times.passed = .seconds(10)
        #expect(clock.remainingMilliseconds() == 0)
    }

    @Test("The time that counts lies between a tenth of the time that has passed and all of it")
    func spent() {
        let clock = clock()
        times.passed = .seconds(8)
        for (work, spent) in [(0.0, 0.8), (0.5, 0.8), (3, 3), (20, 8)] {
            times.work = .seconds(work)
            #expect(clock.spent == .seconds(spent), "\(work)")
        }
    }

    @Test("The processor time of a process is that of its work, and not of its waiting", .timeLimit(.minutes(1)))
    func process() throws {
        let script = "sleep 0.3; read -r line < /dev/null; i=0; while :; do i=$((i + 1)); done"
        let child = try ChildProcess(
            path: "/bin/sh", arguments: ["-c", script], environment: ["PATH=/usr/bin:/bin"], descriptors: [])
        defer { child.kill() }
        while child.processorTime.map({ $0 < .milliseconds(300) }) == true { usleep(10_000) }
        #expect(child.processorTime != nil)
        child.kill()
        _ = child.endingAfterClosing()
        #expect(child.processorTime == nil)
    }
}
