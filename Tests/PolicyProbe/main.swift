// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SensitiveContentAnalysis

// An app as others write them, for tests that look at the policy of an account from within.

// Whoever reads waits for lines.
func say(_ words: Any...) {
    FileHandle.standardOutput.write(Data((words.map { "\($0)" }.joined(separator: " ") + "\n").utf8))
}

let clock = ContinuousClock()
let analyzer = SCSensitivityAnalyzer()
let arguments = CommandLine.arguments.dropFirst()

func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
}

/// Tells the verdict about a picture, or why there is none.
func analyze(_ path: String) async {
    do {
        let analysis = try await analyzer.analyzeImage(at: URL(fileURLWithPath: path))
        say(analysis.isSensitive ? "sensitive" : "notSensitive", analysis.policy.rawValue, analysis.score)
    } catch {
        say("unknown", error)
    }
}

/// The least that a policy in a file would cost: to open it, to read of it and to close it.
func readByte(of path: String) {
    let descriptor = open(path, O_RDONLY)
    var byte: UInt8 = 0
    _ = unsafe read(descriptor, &byte, 1)
    close(descriptor)
}

switch (arguments.first, arguments.dropFirst().first) {
case ("policy", _):
    // The policy, and how long the first read took, in milliseconds.
    let start = clock.now
    let policy = analyzer.analysisPolicy
    say(policy.rawValue, start.duration(to: clock.now) / .milliseconds(1))
case ("reads", let count?):
    // The policy, and the processor time of so many reads after the first, and of as many readings of a file, in seconds.
    let first = analyzer.analysisPolicy
    var reads = 0.0
    var readings = 0.0
    // In turns, so that a busy machine slows both down alike.
    for _ in 0..<10 {
        let start = processorSeconds()
        for _ in 0..<(Int(count) ?? 0) / 10 where analyzer.analysisPolicy != first { say("changed") }
        let middle = processorSeconds()
        for _ in 0..<(Int(count) ?? 0) / 10 { readByte(of: "/etc/passwd") }
        reads += middle - start
        readings += processorSeconds() - middle
    }
    say(first.rawValue, reads, readings)
case ("watch", _):
    // The policy, and again each time it changes, with the time of day in seconds.
    for await policy in analyzer.analysisPolicyChanges { say(policy.rawValue, Date().timeIntervalSince1970) }
case ("poll", _):
    // The same by asking, as Apple's apps do.
    var last: SCSensitivityAnalysisPolicy?
    while true {
        let policy = analyzer.analysisPolicy
        if policy != last { say(policy.rawValue, Date().timeIntervalSince1970) }
        last = policy
        try await Task.sleep(for: .milliseconds(20))
    }
case ("analyze", let path?):
    await analyze(path)
case ("demand-nothing", let path?):
    // The same with a configuration that wants nothing.
    SCSensitivityAnalyzer.defaultConfiguration = .init(demandedPolicy: .disabled)
    say(analyzer.analysisPolicy.rawValue)
    await analyze(path)
case ("twice", let path?):
    // The same before and after a line on standard input.
    await analyze(path)
    _ = readLine()
    await analyze(path)
default:
    say("usage: PolicyProbe policy | reads COUNT | watch | poll | analyze FILE | demand-nothing FILE | twice FILE")
    exit(64)
}
