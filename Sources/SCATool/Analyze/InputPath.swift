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

    /// The path of the folder; "." for a path without one.
    var folder: InputPath {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return InputPath(".") }
        return slash == 0 ? InputPath("/") : InputPath(bytes: bytes[..<slash])
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

    /// Returns the names that the parser has given as text, each with the bytes of its argument.
    ///
    /// Swift replaces bytes of arguments that are not UTF-8 by U+FFFD. Such arguments stand behind `--`, where every
    /// argument is a name (`ArgumentCheck.requireText`).
    static func names(_ texts: [String], raw: [InputPath] = processArguments) -> [InputPath] {
        let behind = raw.drop { $0.bytes != Array("--".utf8) }.dropFirst()
        guard behind.count <= texts.count else { return texts.map { InputPath($0) } }
        return texts.dropLast(behind.count).map { InputPath($0) } + behind
    }

    /// The arguments of this process, without its own name.
    static var processArguments: [InputPath] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
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
