// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The path of an input as the system has it, which need not be UTF-8 text.
struct InputPath: Sendable, Hashable {
    /// The bytes of the path, without a NUL.
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The path as text, with U+FFFD in place of bytes that are not UTF-8.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the path is UTF-8 text.
    var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Whether the path stands for standard input.
    var isStandardInput: Bool { bytes == [UInt8(ascii: "-")] }

    /// The last part of the path.
    var name: InputPath {
        bytes.lastIndex(of: Self.slash).map { InputPath(bytes: bytes[($0 + 1)...]) } ?? self
    }

    /// Returns the path of an entry of this folder.
    func appending(_ name: InputPath) -> InputPath {
        InputPath(bytes: bytes.last == Self.slash ? bytes + name.bytes : bytes + [Self.slash] + name.bytes)
    }

    /// Calls a function with the path as a C string.
    func withCString<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let characters = bytes.map { CChar(bitPattern: $0) } + [0]
        return unsafe try characters.withUnsafeBufferPointer { buffer throws(Failure) in
            unsafe try body(buffer.baseAddress!)
        }
    }

    /// Returns the status of the file; nil if it cannot be read, with the reason in `errno`.
    ///
    /// - Parameter followsLinks: whether a link stands for the file to which it leads.
    func status(followingLinks followsLinks: Bool) -> stat? {
        var status = stat()
        let result = unsafe withCString { path in
            unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
        }
        return result == 0 ? status : nil
    }

    /// Returns the arguments of this process that the parser has given as text, each with its own bytes.
    ///
    /// Swift replaces bytes of arguments that are not UTF-8 by U+FFFD. Arguments of the same text are taken in order.
    static func arguments(of texts: [String], among raw: [InputPath] = processArguments) -> [InputPath] {
        var left: [String: [InputPath]] = [:]
        for argument in raw.reversed() where !argument.isText { left[argument.text, default: []].append(argument) }
        return texts.map { text in left[text]?.popLast() ?? InputPath(text) }
    }

    private static var processArguments: [InputPath] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            unsafe CommandLine.unsafeArgv[index].map { argument in
                unsafe InputPath(
                    bytes: UnsafeBufferPointer(start: argument, count: strlen(argument)).map(UInt8.init(bitPattern:)))
            }
        }
    }

    private static let slash = UInt8(ascii: "/")
}

extension InputPath: Comparable {
    static func < (left: InputPath, right: InputPath) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}
