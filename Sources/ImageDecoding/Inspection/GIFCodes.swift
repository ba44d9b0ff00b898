// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Reads the coded pixels of a GIF picture for the numbers of colours that they use.
///
/// Source: GIF89a specification, appendix F.
struct GIFCodes {
    /// The largest number so far; -1 where there is none.
    private(set) var largest = -1
    /// Whether a pixel has each of the first 256 numbers.
    private var isUsed = [Bool](repeating: false, count: 256)
    /// A number that counts for no colour, since it is transparent.
    private let transparent: Int?
    private let clear: Int
    private let firstSize: Int
    private var size: Int
    private var (bits, bitCount) = (0, 0)
    /// For each code, the first number that it stands for.
    private var first: [Int]
    private var previous: Int?
    /// Whether the end has come, or a code that no encoder writes.
    private var hasEnded = false

    /// - Parameters:
    ///   - codeSize: the least size of a code in bits, less one, as the file says it: 1 to 11.
    ///   - transparent: the number of the transparent colour.
    init(codeSize: Int, transparent: Int?) {
        self.transparent = transparent
        clear = 1 << codeSize
        firstSize = codeSize + 1
        size = firstSize
        first = Array(0..<clear) + [0, 0]
    }

    /// Takes the bytes of a sub-block.
    ///
    /// Every number in a string of pixels has been a first number before, or is the first number of the string that follows.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes where !hasEnded {
            bits |= Int(byte) << bitCount
            bitCount += 8
            while bitCount >= size, !hasEnded {
                let code = bits & (1 << size - 1)
                bits >>= size
                bitCount -= size
                take(code)
            }
        }
    }

    /// The largest number below 256 that no pixel has; nil where there is none.
    var free: UInt8? { isUsed.lastIndex(of: false).map { UInt8($0) } }

    private mutating func take(_ code: Int) {
        if code == clear {
            first.removeSubrange((clear + 2)...)
            size = firstSize
            previous = nil
            return
        }
        guard code != clear + 1, code < first.count || code == first.count && previous != nil else {
            hasEnded = true
            return
        }
        let number = code < first.count ? first[code] : first[previous ?? 0]
        if number < isUsed.count { isUsed[number] = true }
        if number != transparent { largest = max(largest, number) }
        if let previous, first.count < Self.mostCodes { first.append(first[previous]) }
        if first.count == 1 << size, size < 12 { size += 1 }
        previous = code
    }

    private static let mostCodes = 4096
}
