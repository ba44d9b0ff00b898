// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A folder in which a shell runs the command.
struct ShellFolder {
    let url: URL

    /// Calls the closure with a new folder that holds the test pattern as victim.jpg.
    static func with(_ body: (ShellFolder) async throws -> Void) async throws {
        try await TestFiles.withFolder { url in
            let folder = ShellFolder(url: url)
            try folder.write(try await pattern.value, to: "victim.jpg")
            try await body(folder)
        }
    }

    /// The test pattern as a PNG file; the command tells media from its content, so any name will do.
    private static let pattern = Task {
        try await Program.sca.run(["test-pattern", "--output", "-"]).output
    }

    /// Runs a script in the folder, in test mode, with the command as `$0`.
    func run(_ script: String) async throws -> Program.Outcome {
        var shell = Program.sca
        let command = shell.executable.path
        shell.executable = URL(fileURLWithPath: "/bin/sh")
        shell.environment["SCA_TEST_MODE"] = "1"
        return try await shell.run(["-c", "cd \"$1\" || exit 99\n\(script)", command, url.path])
    }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: url.appendingPathComponent(name))
    }

    func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    func copyVictim(to name: String) throws {
        try FileManager.default.copyItem(
            at: url.appendingPathComponent("victim.jpg"), to: url.appendingPathComponent(name))
    }

    func text(of name: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }

    /// All names in the folder and below, hidden ones included.
    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
    }

    /// What each entry of the folder is: its kind, where it leads, and what it holds.
    func state() throws -> [String: String] {
        var state: [String: String] = [:]
        for name in try names() {
            let path = url.appendingPathComponent(name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let kind = attributes[.type] as? FileAttributeType
            var text = kind?.rawValue ?? "unknown"
            if kind == .typeSymbolicLink { text += try FileManager.default.destinationOfSymbolicLink(atPath: path) }
            if kind == .typeRegular { text += "\(try Data(contentsOf: URL(fileURLWithPath: path)).hashValue)" }
            state[name] = text
        }
        return state
    }
}
