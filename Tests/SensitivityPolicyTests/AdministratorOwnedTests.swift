// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SensitivityPolicy
import TestSupport
import Testing

@Suite("What only an administrator can change")
struct AdministratorOwnedTests {
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let holds: Bool
        let change: @Sendable (URL) throws -> Void
    }

    static let cases: [Case] = [
        Case(description: "as installed", holds: true) { _ in },
        Case(description: "a library's link for its version", holds: true) {
            try FileManager.default.createSymbolicLink(
                atPath: $0.appendingPathComponent("b.so").path, withDestinationPath: "b.so.1")
        },
        Case(description: "a file of all", holds: false) { chmod($0.appendingPathComponent("inner/a").path, 0o666) },
        Case(description: "a folder of the group", holds: false) {
            chmod($0.appendingPathComponent("inner").path, 0o775)
        },
        Case(description: "a folder above of all", holds: false) { chmod($0.deletingLastPathComponent().path, 0o1777) },
        Case(description: "a link that leads away", holds: false) {
            try FileManager.default.createSymbolicLink(
                atPath: $0.appendingPathComponent("c").path, withDestinationPath: "../elsewhere")
        },
        Case(description: "a pipe", holds: false) { mkfifo($0.appendingPathComponent("p").path, 0o644) },
        Case(description: "nothing", holds: false) { try FileManager.default.removeItem(at: $0) },
    ]

    @Test(
        "A file is the administrator's by the owners and permissions of its content and of all folders above it",
        arguments: cases)
    func holds(_ example: Case) async throws {
        try await TestFiles.withFolder { base in
            let folder = base.appendingPathComponent("lib/project")
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("inner"), withIntermediateDirectories: true)
            try Data().write(to: folder.appendingPathComponent("inner/a"))
            for name in ["lib", "lib/project", "lib/project/inner"] {
                chmod(base.appendingPathComponent(name).path, 0o755)
            }
            chmod(folder.appendingPathComponent("inner/a").path, 0o644)
            try example.change(folder)
            let root = base.resolvingSymlinksInPath().path
            let path = root + "/lib/project"
            #expect(AdministratorOwned.holds(path, owner: getuid(), below: root) == example.holds)
            #expect(!AdministratorOwned.holds(path, owner: getuid() + 1, below: root))
        }
    }
}
