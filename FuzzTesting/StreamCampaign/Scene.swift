// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport

/// Streams whose frames depend on their numbers alone, with insertions.
struct Scene: Sendable {
    /// Draws a frame of a stream.
    private let draw: @Sendable (_ stream: Int, _ number: Int) -> Canvas
    /// The frames with insertions, by stream.
    private let altered: [[Range<Int>]]

    static let streamCount = 8

    var insertionCount: Int { altered.reduce(0) { $0 + $1.count } }

    /// Creates clips with pictures drawn over some of their frames.
    init(_ motion: Motion, _ photographs: [Photograph], seed: UInt64, frameCount: Int, isAltered: Bool) {
        var generator = SplitMix64(state: seed &+ UInt64(motion.rawValue.count))
        func photograph() -> Photograph { photographs[Int(generator.next() % UInt64(photographs.count))] }
        let clips = (0..<Self.streamCount).map { index in
            Clip(motion: motion, background: photograph(), person: photograph(), seed: seed &+ UInt64(index) &* 77)
        }
        var insertions: [[Insertion]] = clips.map { _ in [] }
        for index in clips.indices where isAltered {
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
        }
        altered = insertions.map { $0.map(\.frames) }
        let drawn = insertions
        draw = { stream, number in
            var canvas = clips[stream].frame(number)
            for insertion in drawn[stream] where insertion.frames.contains(number) {
                insertion.draw(on: &canvas, number)
            }
            return canvas
        }
    }

    /// Creates streams that are made to hide a picture, which appears for one to three frames.
    init(_ kind: Deception.Kind, _ photographs: [Photograph], seed: UInt64, frameCount: Int) {
        var generator = SplitMix64(state: seed)
        func deception() -> Deception {
            while true {
                let photograph = photographs[Int(generator.next() % UInt64(photographs.count))]
                let deception = Deception(kind, photograph, &generator)
                if deception.contrast(0) >= Insertion.leastContrast { return deception }
            }
        }
        // A stream changes its content once a second, and the picture appears in the middle of the second.
        let deceptions = (0..<Self.streamCount).map { _ in (0..<(frameCount / 30)).map { _ in deception() } }
        let ranges = deceptions.map { parts in
            parts.indices.map { part in
                let start = 30 * part + 15
                return start..<(start + 1 + Int(generator.next() % 3))
            }
        }
        altered = ranges
        draw = { stream, number in
            let isAltered = ranges[stream].contains { $0.contains(number) }
            return deceptions[stream][number / 30].frame(number, isAltered: isAltered)
        }
    }

    /// Returns the frames of all streams, which are drawn on all cores.
    func pictures(frameCount: Int) -> [[MarkedPicture]] {
        let made = Mutex(
            [[MarkedPicture?]](repeating: [MarkedPicture?](repeating: nil, count: frameCount), count: Self.streamCount))
        DispatchQueue.concurrentPerform(iterations: Self.streamCount * frameCount) { index in
            let (stream, number) = (index / frameCount, index % frameCount)
            let isAltered = altered[stream].contains { $0.contains(number) }
            let picture = MarkedPicture(draw(stream, number), isAltered: isAltered)
            made.withLock { $0[stream][number] = picture }
        }
        return made.withLock { $0.map { $0.compactMap { $0 } } }
    }
}
