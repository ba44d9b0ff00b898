// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds the colour numbers that the coded pixels of a GIF picture use.
///
/// Source: GIF89a specification, appendix F.
struct GIFCodes {
    /// The largest colour number of the pixels so far, apart from the transparent number; -1 if there is none.
    private(set) var largest = -1
    /// For each of the first 256 colour numbers, whether a pixel has it.
    private var isUsed = [Bool](repeating: false, count: 256)
    /// The number of the transparent colour, which `largest` leaves out.
    private let transparent: Int?
    private let clear: Int
    private let firstSize: Int
    private var size: Int
    private var (bits, bitCount) = (0, 0)
    /// For each LZW code, the first colour number of the string that the code stands for.
    private var first: [Int]
    private var previous: Int?
    /// Whether the end code or an invalid code was read.
    private var hasEnded = false

    /// - Parameters:
    ///   - codeSize: the smallest size of a code in bits minus one, as stored in the file: 1 to 11.
    ///   - transparent: the number of the transparent colour.
    init(codeSize: Int, transparent: Int?) {
        self.transparent = transparent
        clear = 1 << codeSize
        firstSize = codeSize + 1
        size = firstSize
        first = Array(0..<clear) + [0, 0]
    }

    /// Notes the colour numbers in the bytes of a sub-block.
    ///
    /// The first number of each string is enough: every other number is the first of an earlier or the next string.
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

    /// The largest colour number below 256 that no pixel has; nil if there is none.
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
