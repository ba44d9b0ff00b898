// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hashing

/// A file that a program made for tests; it is kept in the build folder, under a hash of the program and its arguments.
struct GeneratedMedia {
    private let path: URL

    private static let folder = TestFiles.products.appendingPathComponent("generated-media")

    /// Returns the place at which a file is kept, or nil if its hash cannot be computed.
    ///
    /// The result is nil if an argument contains the path of a temporary file within other text.
    static func place(of file: URL, program: URL, arguments: [String]) -> GeneratedMedia? {
        guard var hash = try? SHA256() else { return nil }
        let temporary = FileManager.default.temporaryDirectory.path
        // Another version of the program may make another file.
        let state = try? FileManager.default.attributesOfItem(atPath: program.resolvingSymlinksInPath().path)
        add(Data("\(program.path) \(state?[.size] ?? "") \(state?[.modificationDate] ?? "")".utf8), to: &hash)
        for argument in arguments {
            if argument.hasPrefix("/"), let content = try? Data(contentsOf: URL(fileURLWithPath: argument)) {
                add(content, to: &hash)
            } else if argument.contains(temporary) {
                return nil
            } else {
                add(Data(argument.utf8), to: &hash)
            }
        }
        guard let digest = try? hash.digest() else { return nil }
        return GeneratedMedia(
            path: folder.appendingPathComponent(digest.hexadecimal).appendingPathExtension(file.pathExtension))
    }

    /// Adds data to the hash with its length, so that other data with the same joined bytes have another hash.
    private static func add(_ data: Data, to hash: inout SHA256) {
        hash.update(Array("\(data.count) ".utf8) + data)
    }

    /// Copies the kept file, and returns whether there was one.
    func copy(to file: URL) -> Bool {
        guard let content = try? Data(contentsOf: path) else { return false }
        return (try? content.write(to: file)) != nil
    }

    /// Keeps a file; if the folder cannot be written, the next test makes the file anew.
    func keep(_ file: URL) {
        guard let content = try? Data(contentsOf: file), !content.isEmpty else { return }
        try? FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        // Tests may make the same file at the same moment, so the file gets its name when it is complete.
        try? content.write(to: path, options: .atomic)
    }
}
