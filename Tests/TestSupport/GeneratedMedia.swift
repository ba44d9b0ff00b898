// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hashing

/// A file that a program has made for tests, kept below the build folder under the hash of what made it.
struct GeneratedMedia {
    private let path: URL

    private static let folder = TestFiles.products.appendingPathComponent("generated-media")

    /// The place of a file, or nil where its hash cannot be known.
    ///
    /// An argument that names a temporary file within other text hides the content of that file.
    static func place(of file: URL, program: URL, arguments: [String]) -> GeneratedMedia? {
        guard var hash = try? SHA256() else { return nil }
        let temporary = FileManager.default.temporaryDirectory.path
        // Another version of the program makes other files.
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

    /// Adds a part with its length, so that two parts cannot pass for one.
    private static func add(_ data: Data, to hash: inout SHA256) {
        hash.update(Array("\(data.count) ".utf8) + data)
    }

    /// Whether the file was there and has been copied.
    func copy(to file: URL) -> Bool {
        guard let content = try? Data(contentsOf: path) else { return false }
        return (try? content.write(to: file)) != nil
    }

    /// Keeps a file; where the folder cannot be written, the next test makes it anew.
    func keep(_ file: URL) {
        guard let content = try? Data(contentsOf: file), !content.isEmpty else { return }
        try? FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        // Other tests may make the same at the same moment: a file has its name when it is whole.
        try? content.write(to: path, options: .atomic)
    }
}
