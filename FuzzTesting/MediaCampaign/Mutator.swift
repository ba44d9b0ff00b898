// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import TestSupport

/// Damages files, in the same way for the same number.
struct Mutator {
    private var random: SplitMix64

    init(number: UInt64) {
        random = SplitMix64(state: number)
    }

    /// Applies a few changes; half of them hit the first bytes, where sizes and offsets are.
    mutating func mutated(_ seed: [UInt8], other: [UInt8]) -> [UInt8] {
        var bytes = seed
        // Mostly one: what is damaged in many places is refused at the first.
        let count = [1, 1, 1, 1, 2, 2, 3, 5, 9].randomElement(using: &random) ?? 1
        for _ in 0..<count where !bytes.isEmpty {
            change(&bytes, other: other)
        }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8], other: [UInt8]) {
        let place = place(in: bytes)
        let length = min(
            Int.random(in: 1...(1 << Int.random(in: 0...10, using: &random)), using: &random), bytes.count - place)
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1, 2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3, 4: bytes[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random) ?? 0
        case 5: bytes[place] = .random(in: 0...255, using: &random)
        case 6, 7: setNumber(&bytes, at: place)
        case 8: bytes.removeSubrange(place..<(place + length))
        case 9: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
        case 10:
            guard !other.isEmpty else { return }
            let source = Int.random(in: 0..<other.count, using: &random)
            let piece = other[source..<min(source + length, other.count)]
            bytes.replaceSubrange(place..<min(place + piece.count, bytes.count), with: piece)
        default: bytes.removeLast(bytes.count - place)
        }
    }

    private mutating func place(in bytes: [UInt8]) -> Int {
        let isHead = Bool.random(using: &random)
        return Int.random(in: 0..<(isHead ? min(bytes.count, 512) : bytes.count), using: &random)
    }

    /// Writes what lengths and offsets go wrong with, in two or four bytes of either order.
    private mutating func setNumber(_ bytes: inout [UInt8], at place: Int) {
        let width = Bool.random(using: &random) ? 2 : 4
        guard place + width <= bytes.count else { return }
        let isBigEndian = Bool.random(using: &random)
        func index(_ step: Int) -> Int { place + (isBigEndian ? width - 1 - step : step) }
        var value: UInt32 = 0
        for step in 0..<width { value |= UInt32(bytes[index(step)]) << UInt32(8 * step) }
        let changed: [UInt32] = [
            0, 1, value &+ 1, value &- 1, value &* 2, value / 2, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, .max, 0x8000_0000,
            UInt32(bytes.count), 65_535, 100_000,
        ]
        let new = changed.randomElement(using: &random) ?? 0
        for step in 0..<width { bytes[index(step)] = UInt8(truncatingIfNeeded: new >> UInt32(8 * step)) }
    }
}
