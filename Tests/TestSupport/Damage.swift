// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Random damage to a file.
package enum Damage {
    /// Returns a copy of bytes of which some are changed, left out, repeated or exchanged.
    ///
    /// - Parameters:
    ///   - changes: the number of changes.
    ///   - longest: the largest number of neighbouring bytes that one change concerns.
    ///   - fewest: the number of bytes from which on nothing more is changed.
    package static func damaged(
        _ original: [UInt8], seed: UInt64, changes: ClosedRange<Int>, longest: Int, fewest: Int
    ) -> [UInt8] {
        var random = SplitMix64(state: seed)
        var bytes = original
        for _ in 0..<Int.random(in: changes, using: &random) {
            guard bytes.count > fewest else { break }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...longest, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            case 4: for index in place..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            default: bytes.removeLast(min(bytes.count - 1, end - place))
            }
        }
        return bytes.isEmpty ? [0] : bytes
    }
}
