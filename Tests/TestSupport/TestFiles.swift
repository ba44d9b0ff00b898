// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import Glibc

/// The files and folders that tests use.
package enum TestFiles {
    /// The folder of the committed media.
    package static let fixtures = packageFolder.appendingPathComponent("Tests/Fixtures")

    package static let packageFolder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the executables that were built with the tests.
    package static let products: URL = {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: path).deletingLastPathComponent()
    }()

    /// A path that exists on no machine, because no account can create a file in /proc.
    package static let missing = "/proc/sca-no-such-file"

    /// The cache folder with the compiled model for programs that tests run without a home folder.
    package static let cache: URL = {
        let kept = products.appendingPathComponent("test-cache-\(geteuid())")
        // The build folder may belong to another account, so a temporary folder replaces it.
        let folder =
            (try? FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)) != nil
            ? kept : FileManager.default.temporaryDirectory.appendingPathComponent("sca-test-cache-\(geteuid())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }()

    /// Calls the closure with an open file that contains the data and has no name.
    package static func withTemporaryFile<Value>(_ data: Data, _ body: (FileHandle) throws -> Value) throws -> Value {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sca-test-\(UUID().uuidString)")
        try data.write(to: url)
        let file = try FileHandle(forReadingFrom: url)
        try FileManager.default.removeItem(at: url)
        return try body(file)
    }

    /// Calls the closure with a new folder, which is removed afterwards.
    package static func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sca-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
