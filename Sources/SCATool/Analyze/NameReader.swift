// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Reads names from a file or standard input, one after the other, as soon as each is complete.
final class NameReader {
    private let descriptor: Int32
    private let separator: UInt8
    private var buffer: ArraySlice<UInt8> = []
    private var hasEnded = false
    private var isAtStart = true
    /// Further files that the last name may mean.
    private var others: [InputPath] = []

    /// - Parameters:
    ///   - descriptor: an open descriptor, which stays open.
    ///   - separator: the byte between two names: a line feed or NUL.
    init(descriptor: Int32, separator: UInt8) {
        self.descriptor = descriptor
        self.separator = separator
    }

    /// The failure to read names, with the errno value.
    struct Failure: Error {
        let number: Int32
    }

    /// Returns the next name that is not empty, after a wait until it is complete; nil at the end.
    ///
    /// - Throws: `Failure` if the names cannot be read, if a name is longer than any path (ENAMETOOLONG), or if it
    ///   contains NUL (EILSEQ).
    func next() throws(Failure) -> InputPath? {
        if !others.isEmpty { return others.removeFirst() }
        while true {
            if let end = buffer.firstIndex(of: separator) {
                let name = buffer[..<end]
                buffer = buffer[(end + 1)...]
                if !name.isEmpty { return try path(name) }
                continue
            }
            guard buffer.count < Self.longestName else { throw Failure(number: ENAMETOOLONG) }
            guard !hasEnded else {
                defer { buffer = [] }
                return buffer.isEmpty ? nil : try path(buffer)
            }
            try fill()
        }
    }

    /// - Throws: `Failure` for a name with NUL, which the system would cut off there.
    private func path(_ name: ArraySlice<UInt8>) throws(Failure) -> InputPath {
        guard !name.contains(0) else { throw Failure(number: EILSEQ) }
        // In a list, - is a file, because strangers choose the names of files.
        let meanings = meanings(of: name).map { InputPath(bytes: $0) }.map {
            $0.isStandardInput ? InputPath("./-") : $0
        }
        isAtStart = false
        guard meanings.count > 1 else { return meanings[0] }
        let existing = meanings.filter { $0.status(followingLinks: false) != nil }
        // Nobody knows which of two files is meant, so both are judged.
        others = Array(existing.dropFirst())
        return existing.first ?? meanings[0]
    }

    /// Returns the names that a line may mean, the likeliest first.
    ///
    /// Some programs end lines with CR LF, or begin a list with a byte order mark. A file may have such a name, though.
    private func meanings(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        guard separator == UInt8(ascii: "\n") else { return [line] }
        var meanings = [line]
        if line.last == UInt8(ascii: "\r") { meanings.insert(line.dropLast(), at: 0) }
        if isAtStart, line.starts(with: Self.byteOrderMark) {
            meanings = meanings.map { $0.dropFirst(Self.byteOrderMark.count) } + meanings
        }
        return meanings.filter { !$0.isEmpty }
    }

    private func fill() throws(Failure) {
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { return }
        guard count >= 0 else { throw Failure(number: errno) }
        hasEnded = count == 0
        buffer = ArraySlice(buffer + piece.prefix(count))
    }

    /// U+FEFF in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let longestName = Int(PATH_MAX)
}
