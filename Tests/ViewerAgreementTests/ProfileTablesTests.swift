// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ViewerAgreement

@Suite("Tables of a colour profile")
struct ProfileTablesTests {
    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func numbers(_ count: Int, _ value: (Double) -> Double) -> [UInt8] {
        (0..<count).flatMap { number(Int((value(Double($0) / Double(count - 1)) * 65_535).rounded()), 2) }
    }

    private static func curve(_ count: Int, _ value: (Double) -> Double) -> [UInt8] {
        Array("curv\0\0\0\0".utf8) + number(count, 4) + numbers(count, value)
    }

    /// A lookup table of a profile in which all input curves are equal and the output curves change nothing.
    private static func table(_ inputs: Int, grid: Int, curve: (Double) -> Double) -> [UInt8] {
        let points = (0..<inputs).reduce(3) { count, _ in count * grid }
        return Array("mft2\0\0\0\0".utf8) + [UInt8(inputs), 3, UInt8(grid), 0] + [UInt8](repeating: 0, count: 36)
            + number(256, 2) + number(2, 2) + (0..<inputs).flatMap { _ in numbers(256, curve) }
            + [UInt8](repeating: 7, count: points * 2) + (0..<3).flatMap { _ in numbers(2) { $0 } }
    }

    private static func isEven(_ curve: [UInt8], channelCount: Int = 3) -> Bool {
        ProfileTables([9, 9] + curve, channelCount: channelCount).isEvenCurve(at: 2)
    }

    @Test("Curves of gammas and of sRGB are even, at every length", arguments: [2, 26, 256, 1024, 4096])
    func gammas(count: Int) {
        for gamma in [1, 1.8, 2.2, 2.6, 1 / 1.8, 1 / 2.2, 1 / 2.4] {
            #expect(Self.isEven(Self.curve(count) { pow($0, gamma) }), "\(gamma)")
            #expect(Self.isEven(Self.curve(count) { pow($0, gamma) }, channelCount: 4), "\(gamma) of inks")
        }
        #expect(Self.isEven(Self.curve(count) { $0 > 0.04045 ? pow(($0 + 0.055) / 1.055, 2.4) : $0 / 12.92 }))
        #expect(Self.isEven(Self.curve(count) { 1 - $0 }) && Self.isEven(Self.curve(count) { _ in 0.3 }))
    }

    @Test("Curves with a step or a spike are not even, wherever it is", arguments: [3, 40, 100, 200, 253])
    func steps(place: Int) {
        let start = Double(place) / 255 - 0.001
        #expect(!Self.isEven(Self.curve(256) { $0 < start ? 0.2 : 0.6 }))
        #expect(!Self.isEven(Self.curve(256) { $0 >= start && $0 < start + 0.0035 ? 1 : 0 }))
        #expect(!Self.isEven(Self.curve(4096) { $0 >= start && $0 < start + 0.0035 ? $0 + 0.2 : $0 }))
    }

    @Test("Formulas and single numbers are even; what is no curve is not")
    func others() {
        #expect(Self.isEven(Array("curv\0\0\0\0\0\0\0\0".utf8)))
        #expect(Self.isEven(Array("curv\0\0\0\0".utf8) + [0, 0, 0, 1, 2, 0x33]))
        #expect(Self.isEven(Array("para\0\0\0\0\0\u{3}\0\0".utf8) + [UInt8](repeating: 0, count: 20)))
        #expect(!Self.isEven(Array("para\0\0\0\0\0\u{7}\0\0".utf8)) && !Self.isEven(Array("XYZ ".utf8)))
        #expect(!Self.isEven(Array("curv\0\0\0\0".utf8) + [0, 0, 1, 0, 1, 1]))
    }

    @Test("Tables are even where their curves are, and their grid is no finer than that of LittleCMS")
    func tables() {
        func isEven(_ inputs: Int, _ grid: Int, _ curve: (Double) -> Double = { $0 }) -> Bool {
            ProfileTables(Self.table(inputs, grid: grid, curve: curve), channelCount: inputs).isEvenTable(at: 0)
        }
        #expect(isEven(1, 33) && isEven(3, 17) && isEven(4, 9))
        #expect(!isEven(1, 34) && !isEven(3, 34) && !isEven(4, 24))
        for inputs in [1, 3, 4] { #expect(!isEven(inputs, 2) { $0 < 0.4 ? 0 : 1 }) }
        let cut = Array(Self.table(3, grid: 5, curve: { $0 }).dropLast(1))
        #expect(!ProfileTables(cut, channelCount: 3).isEvenTable(at: 0))
    }
}
