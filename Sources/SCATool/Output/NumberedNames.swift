// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The names that are tried for a new file: "name.jpg", "name (2).jpg", "name (3).jpg" and so on.
struct NumberedNames: Sequence {
    private let stem: [UInt8]
    /// The ending with its dot; empty for a name without one.
    private let ending: [UInt8]

    init(_ name: InputPath) {
        // A name may begin with a dot.
        let dot = name.bytes.dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? name.bytes.endIndex
        (stem, ending) = (Array(name.bytes[..<dot]), Array(name.bytes[dot...]))
    }

    /// - Parameters:
    ///   - name: the name whose part before its ending is used; a part of it if it is too long for a file system.
    ///   - ending: the new ending, without a dot.
    init(_ name: InputPath, ending: String) {
        let text = String(decoding: NumberedNames(name).stem, as: UTF8.self)
        var stem = Substring(text)
        while stem.utf8.count > Self.mostBytesOfStem { stem = stem.dropLast() }
        (self.stem, self.ending) = (Array(stem.utf8), Array(".\(ending)".utf8))
    }

    func makeIterator() -> some IteratorProtocol<InputPath> {
        (1...Self.count).lazy.map { number in
            InputPath(bytes: stem + (number == 1 ? [] : Array(" (\(number))".utf8)) + ending)
        }.makeIterator()
    }

    /// The number of names.
    static let count = 10_000
    /// The most bytes before the ending, so that number and ending fit into the 255 bytes of a name.
    private static let mostBytesOfStem = 240
}
