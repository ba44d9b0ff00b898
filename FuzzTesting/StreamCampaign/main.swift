// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import Synchronization
import TestSupport

// StreamCampaign PHOTOGRAPHS SEED SECONDS: insertions into moving streams, and the share of harmless frames covered.
// PHOTOGRAPHS is a folder of raw I420 pictures of 1600 × 900 pixels, which FuzzTesting/run makes.
let arguments = CommandLine.arguments
guard arguments.count == 4, let seed = UInt64(arguments[2]), let seconds = Int(arguments[3]), seconds > 9 else {
    fatalError("usage: StreamCampaign PHOTOGRAPHS SEED SECONDS")
}
let photographs = try FileManager.default.contentsOfDirectory(atPath: arguments[1]).filter { $0.hasSuffix(".raw") }
    .sorted().map { try Photograph("\(arguments[1])/\($0)") }
guard photographs.count > 3 else { fatalError("there are too few photographs in \(arguments[1])") }

/// Makes the frames of all streams, on all cores.
func pictures(_ motion: Motion, streams: Int, isAltered: Bool, _ counts: inout GateCounts) -> [[MarkedPicture]] {
    var generator = SplitMix64(state: seed &+ UInt64(motion.rawValue.count))
    func photograph() -> Photograph { photographs[Int(generator.next() % UInt64(photographs.count))] }
    let clips = (0..<streams).map { index in
        Clip(motion: motion, background: photograph(), person: photograph(), seed: seed &+ UInt64(index) &* 77)
    }
    let frameCount = seconds * 30
    var insertions: [[Insertion]] = clips.map { _ in [] }
    if isAltered {
        for index in clips.indices {
            var frame = 45
            while frame < frameCount - 90 {
                let isBrief = generator.next() % 2 == 0
                let insertion = Insertion(at: frame, photograph(), isBrief: isBrief, &generator)
                // An even picture at a low opacity over an even background shows nothing.
                guard insertion.contrast(on: clips[index].frame(frame), frame) >= Insertion.leastContrast else {
                    continue
                }
                insertions[index].append(insertion)
                frame = insertion.frames.upperBound + 75 + Int(generator.next() % 20)
            }
            counts.insertions += insertions[index].count
        }
    }
    let made = Mutex([[MarkedPicture?]](repeating: [MarkedPicture?](repeating: nil, count: frameCount), count: streams))
    let drawn = insertions
    DispatchQueue.concurrentPerform(iterations: streams * frameCount) { index in
        let (stream, number) = (index / frameCount, index % frameCount)
        var canvas = clips[stream].frame(number)
        let inserted = drawn[stream].filter { $0.frames.contains(number) }
        for insertion in inserted { insertion.draw(on: &canvas, number) }
        let picture = MarkedPicture(canvas, isAltered: !inserted.isEmpty)
        made.withLock { $0[stream][number] = picture }
    }
    return made.withLock { $0.map { $0.compactMap { $0 } } }
}

var total = GateCounts()
var hasFailed = false
for motion in Motion.allCases {
    for isAltered in [false, true] {
        var known = GateCounts()
        let frames = pictures(motion, streams: 8, isAltered: isAltered, &known)
        for delay in [Duration.milliseconds(250), .milliseconds(500)] {
            let counts = GateSimulation(pictures: frames, delay: delay).run()
            let share = 100 * Double(counts.covered) / Double(max(1, counts.shown + counts.covered))
            let milliseconds = Int(delay / .milliseconds(1))
            print(
                "\(motion.rawValue), delay \(milliseconds) ms: \(known.insertions) insertions, \(counts.leaked) altered"
                    + " frames came out, \(String(format: "%.2f", share)) % of harmless frames were covered")
            total.insertions += known.insertions
            total.leaked += counts.leaked
            // The promise is for calls; for moving cameras the share is stated.
            if counts.leaked > 0 || motion == .call && !isAltered && share > 1 { hasFailed = true }
        }
    }
}
print("\(total.insertions) insertions, \(total.leaked) altered frames came out")
exit(hasFailed ? 1 : 0)
