// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import DecoderService
import Testing

@Suite("Which decoded frames are scored")
struct FrameSelectionTests {
    static func signature(_ level: Int, block: Int? = nil, by change: Int = 0) -> FrameSignature {
        var averages = [UInt16](repeating: UInt16(level * 64), count: 3 * FrameSignature.blockCount)
        if let block { averages[block] = UInt16((level + change) * 64) }
        return FrameSignature(averages: averages)
    }

    @Test("A frame is scored if a block differs by two levels, and is a repetition otherwise")
    func thorough() {
        var selection = FrameSelection(preset: .thorough)
        #expect(selection.choose(Self.signature(100), at: .zero) == .score)
        #expect(selection.choose(Self.signature(101), at: .milliseconds(40)) == .repetition)
        #expect(selection.choose(Self.signature(100, block: 7, by: 2), at: .milliseconds(80)) == .score)
    }

    @Test("Frames are compared with the frame that was scored last, so that a slow change is noticed")
    func slowChange() {
        var selection = FrameSelection(preset: .balanced)
        let scored = (100..<120).filter {
            selection.choose(Self.signature($0), at: .milliseconds(40) * $0) == .score
        }
        #expect(scored == Array(stride(from: 100, to: 120, by: 2)))
    }

    @Test("The strictest preset scores a new scene at once, and other frames four times a second")
    func protective() {
        var selection = FrameSelection(preset: .protective)
        #expect(selection.choose(Self.signature(100), at: .zero) == .score)
        #expect(selection.choose(Self.signature(104), at: .milliseconds(40)) == .pass)
        #expect(selection.choose(Self.signature(104, block: 3, by: 30), at: .milliseconds(80)) == .score)
        var scored: [Duration] = []
        for frame in 3..<100 {
            let time = Duration.milliseconds(40) * frame
            if selection.choose(Self.signature(100 + frame % 5), at: time) == .score { scored.append(time) }
        }
        for (one, next) in zip(scored, scored.dropFirst()) { #expect(next - one <= .milliseconds(250)) }
        #expect(scored.count >= 15)
    }

    @Test("A change of detail with the same averages is scored, and every frame is scored again after five seconds")
    func details() {
        var selection = FrameSelection(preset: .thorough)
        let averages = [UInt16](repeating: 6400, count: FrameSignature.blockCount)
        let flat = FrameSignature(averages: averages, details: averages.map { _ in 0 })
        let fine = FrameSignature(averages: averages, details: averages.map { _ in 640 })
        #expect(selection.choose(flat, at: .zero) == .score)
        #expect(selection.choose(fine, at: .milliseconds(40)) == .score)
        #expect(selection.choose(fine, at: .milliseconds(4900)) == .repetition)
        #expect(selection.choose(fine, at: .milliseconds(5100)) == .score)
    }

    @Test("Frames that cannot be compared are always scored")
    func incomparable() {
        var selection = FrameSelection(preset: .thorough)
        #expect(selection.choose(nil, at: .zero) == .score)
        #expect(selection.choose(Self.signature(1), at: .zero) == .score)
        #expect(selection.choose(FrameSignature(averages: [64]), at: .zero) == .score)
    }
}
