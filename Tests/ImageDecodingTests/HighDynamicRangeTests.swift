// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ImageDecoding

@Suite("Curves of a high dynamic range")
struct HighDynamicRangeTests {
    /// The grey level that a display shows for a level of the file.
    private static func shown(_ level: Int, _ curve: [UInt16]) -> Int {
        let light = Double(curve[(level * (curve.count - 1) + 127) / 255]) / 65_535
        let value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        return Int((value * 255).rounded())
    }

    /// Grey levels of a PNG file with the chunk cICP, in screenshots of Chromium 156 and Firefox 153 (2026-11-29).
    @Test(
        "Grey levels are close to those of Chromium and of Firefox",
        arguments: [
            (
                HighDynamicRange.perceptualQuantizer, [5, 30, 70, 132, 187, 213, 255, 255, 255],
                [0, 2, 8, 24, 39, 50, 90, 153, 255]
            ),
            (.hybridLogGamma, [14, 43, 71, 99, 120, 135, 189, 228, 255], [16, 40, 61, 82, 96, 106, 142, 191, 255]),
        ])
    func measured(range: HighDynamicRange, chromium: [Int], firefox: [Int]) {
        let levels = [32, 64, 96, 128, 148, 160, 192, 224, 255]
        for (curve, measured) in zip(range.curves, [chromium, firefox]) {
            for (level, expected) in zip(levels, measured) {
                #expect(abs(Self.shown(level, curve) - expected) <= 6, "\(level)")
            }
            #expect(zip(curve, curve.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(curve.first == 0 && curve.last == .max)
        }
    }

    @Test("Other transfer functions are no high dynamic range")
    func others() {
        for transfer in 0...30 where ![16, 18].contains(transfer) {
            #expect(HighDynamicRange(transfer: transfer) == nil)
        }
    }
}
