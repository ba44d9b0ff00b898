// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import TestSupport

// StreamCampaign PHOTOGRAPHS SEED SECONDS: insertions into moving streams and into streams that are made to hide them, and
// the share of harmless frames covered.
// StreamCampaign PHOTOGRAPHS shares SECONDS: the share of harmless frames covered, by the number of streams.
// StreamCampaign PHOTOGRAPHS times SECONDS: times on the real clock.
// StreamCampaign PHOTOGRAPHS encoded SECONDS: times of encoded streams on the real clock.
// PHOTOGRAPHS is a folder of raw I420 pictures of 1600 × 900 pixels, which FuzzTesting/run makes.
let arguments = CommandLine.arguments
guard arguments.count == 4, let seconds = Int(arguments[3]), seconds > 9 else {
    fatalError("usage: StreamCampaign PHOTOGRAPHS SEED|shares|times|encoded SECONDS")
}
let photographs = try FileManager.default.contentsOfDirectory(atPath: arguments[1]).filter { $0.hasSuffix(".raw") }
    .sorted().map { try Photograph("\(arguments[1])/\($0)") }
guard photographs.count > 3 else { fatalError("there are too few photographs in \(arguments[1])") }
if arguments[2] == "times" {
    exit(await StreamTimes.runAll(photographs, seconds: seconds) ? 0 : 1)
}
if arguments[2] == "encoded" {
    exit(try await EncodedTimes.runAll(photographs, seconds: seconds) ? 0 : 1)
}
if arguments[2] == "shares" {
    reportShares(photographs, seconds: seconds)
    exit(0)
}
guard let seed = UInt64(arguments[2]) else { fatalError("the seed is not a number: \(arguments[2])") }

/// Runs a scene with both delays, and prints and returns the counts.
@MainActor
func run(_ name: String, _ scene: Scene, seconds: Int) -> [GateCounts] {
    let frames = scene.pictures(frameCount: seconds * 30)
    return [250, 500].map { milliseconds in
        var counts = GateSimulation(pictures: frames, delay: .milliseconds(milliseconds)).run()
        counts.insertions = scene.insertionCount
        report(
            "\(name), delay \(milliseconds) ms: \(counts.insertions) insertions, \(counts.leaked) altered frames came"
                + " out, \(String(format: "%.2f", counts.coveredShare)) % of harmless frames were covered")
        return counts
    }
}

var (insertions, leaked, hasFailed) = (0, 0, false)
for motion in Motion.allCases {
    for isAltered in [false, true] {
        let scene = Scene(motion, photographs, seed: seed, frameCount: seconds * 30, isAltered: isAltered)
        for counts in run(motion.rawValue, scene, seconds: seconds) {
            insertions += counts.insertions
            leaked += counts.leaked
            // The promise is for calls; for moving cameras the share is stated.
            if motion == .call && !isAltered && counts.coveredShare > 1 { hasFailed = true }
        }
    }
}
report("\(insertions) insertions, \(leaked) altered frames came out")
// Pictures that are hidden on purpose are counted apart: docs/streams-figures.md says how many come out.
var (hidden, found) = (0, 0)
for kind in Deception.Kind.allCases {
    let hiding = min(seconds, 20)
    for counts in run(kind.rawValue, Scene(kind, photographs, seed: seed, frameCount: hiding * 30), seconds: hiding) {
        hidden += counts.insertions
        found += counts.leaked
    }
}
report("\(hidden) pictures hidden on purpose, \(found) of their frames came out")
exit(leaked > 0 || hasFailed ? 1 : 0)
