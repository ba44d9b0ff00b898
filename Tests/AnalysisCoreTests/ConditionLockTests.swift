// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("A lock with a condition")
struct ConditionLockTests {
    @Test func `A thread is woken by a change that another thread makes at the end of its own wait`() async {
        let lock = ConditionLock(Progress.nothing)
        let (first, second) = (WorkerThread(), WorkerThread())
        // A thread that is not woken gets its result at its own limit, which is a minute later.
        async let end = first.result { () -> ContinuousClock.Instant? in
            lock.withLock { $0 = .firstWaits }
            return lock.wait(within: .seconds(60)) { $0 == .changed ? ContinuousClock.now : nil }
        }
        let change = await second.result { () -> ContinuousClock.Instant? in
            _ = lock.wait { $0 == .firstWaits ? true : nil }
            // The closure changes the value at its second call, which follows the limit.
            var calls = 0
            return lock.wait(within: .milliseconds(50)) { progress in
                calls += 1
                guard calls > 1 else { return nil }
                progress = .changed
                return ContinuousClock.now
            }
        }
        let (changed, woken) = (change, await end)
        #expect(changed != nil && woken != nil)
        if let changed, let woken { #expect(changed.duration(to: woken) < .seconds(30)) }
    }

    private enum Progress { case nothing, firstWaits, changed }

    @Test("A wait ends at its limit without a result")
    func limit() {
        #expect(ConditionLock(0).wait(within: .milliseconds(20)) { $0 == 1 ? true : nil } == nil)
    }

    @Test("A full channel passes a value once another was taken, and a closed channel accepts none")
    func channel() async {
        let channel = BoundedChannel<Int>(capacity: 1)
        #expect(channel.put(1))
        let (sender, receiver) = (WorkerThread(), WorkerThread())
        async let isSent = sender.result { channel.put(2) }
        let received = await receiver.result { (0..<2).map { _ in channel.take(within: .seconds(60)) } }
        #expect(received == [1, 2])
        #expect(await isSent)
        channel.close()
        #expect(!channel.put(3) && channel.take(within: .zero) == nil)
    }

    @Test("Listeners have numbers of their own, and a removed listener is gone")
    func listeners() {
        var listeners = Listeners<String>()
        let (first, second) = (listeners.add("first"), listeners.add("second"))
        #expect(first != second && listeners.count == 2)
        #expect(listeners.remove(first) == "first" && listeners.remove(first) == nil)
        #expect(listeners.removeAll() == ["second"] && listeners.isEmpty)
    }
}
