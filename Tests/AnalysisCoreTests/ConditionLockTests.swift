// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("A lock with a condition")
struct ConditionLockTests {
    @Test("A thread is woken by a change that another thread makes at the end of its own wait")
    func changeAtLimit() async {
        let lock = ConditionLock(0)
        let start = ContinuousClock.now
        let waiting = Task.detached {
            lock.wait(within: .seconds(20)) { $0 == 1 ? ContinuousClock.now : nil }
        }
        try? await Task.sleep(for: .milliseconds(50))
        // The closure changes the value at its second call, which follows the limit.
        let other = Task.detached {
            var calls = 0
            return lock.wait(within: .milliseconds(50)) { value -> Bool? in
                calls += 1
                guard calls > 1 else { return nil }
                value = 1
                return true
            }
        }
        #expect(await other.value == true)
        let end = await waiting.value
        #expect(end.map { start.duration(to: $0) < .seconds(10) } == true)
    }

    @Test("A wait ends at its limit without a result")
    func limit() {
        #expect(ConditionLock(0).wait(within: .milliseconds(20)) { $0 == 1 ? true : nil } == nil)
    }

    @Test("A full channel passes a value once another was taken, and a closed channel accepts none")
    func channel() async {
        let channel = BoundedChannel<Int>(capacity: 1)
        #expect(channel.put(1))
        let second = Task.detached { channel.put(2) }
        #expect(channel.take(within: .seconds(20)) == 1)
        #expect(await second.value)
        #expect(channel.take(within: .seconds(20)) == 2)
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
