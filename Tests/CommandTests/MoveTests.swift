// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import TestSupport
import Testing

@testable import SCATool

@Suite("sca analyze --move-to")
struct MoveTests {
    private static func withFiles(_ body: (URL, String) async throws -> Void) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.jpg")
            try Data("content".utf8).write(to: file)
            try await body(folder, file.path)
        }
    }

    private static func state(_ path: String) throws -> FileState {
        try #require(FileState(OwnedDescriptor.openRegularFile(at: path)))
    }

    @Test("A file is moved into the folder, under another name if its name is taken")
    func names() async throws {
        try await Self.withFiles { folder, file in
            let mover = FileMover(folder: "\(folder.path)/found", isRehearsal: false)
            try mover.prepare()
            var places: [String] = []
            for number in 1...3 {
                try Data("content \(number)".utf8).write(to: URL(fileURLWithPath: file))
                places.append(try mover.move(InputPath(file), judged: Self.state(file)).text)
            }
            #expect(places == ["a.jpg", "a (2).jpg", "a (3).jpg"].map { "\(folder.path)/found/\($0)" })
            #expect(
                try places.map { try String(contentsOfFile: $0, encoding: .utf8) } == (1...3).map { "content \($0)" })
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test("A file that has changed since it was judged stays in its place")
    func changed() async throws {
        try await Self.withFiles { folder, file in
            let mover = FileMover(folder: folder.appendingPathComponent("found").path, isRehearsal: false)
            try mover.prepare()
            let state = try Self.state(file)
            try Data("another".utf8).write(to: URL(fileURLWithPath: file))
            #expect(throws: FileMover.Failure.self) { try mover.move(InputPath(file), judged: state) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: mover.folder).isEmpty)
        }
    }

    @Test("Both names of a file are moved, unless its content changes between the moves", arguments: [false, true])
    func hardLink(changes: Bool) async throws {
        try await Self.withFiles { folder, file in
            let other = folder.appendingPathComponent("b.jpg")
            try FileManager.default.linkItem(atPath: file, toPath: other.path)
            let mover = FileMover(folder: folder.appendingPathComponent("found").path, isRehearsal: false)
            try mover.prepare()
            let state = try Self.state(file)
            _ = try mover.move(InputPath(file), judged: state)
            if changes {
                let handle = try FileHandle(forWritingTo: other)
                try handle.write(contentsOf: Data("another".utf8))
                try handle.close()
                #expect(throws: FileMover.Failure.self) { try mover.move(InputPath(other.path), judged: state) }
            } else {
                #expect(try mover.move(InputPath(other.path), judged: state).text.hasSuffix("found/b.jpg"))
            }
        }
    }

    @Test("A rehearsal gives two files of one name different places, as the moves would")
    func rehearsal() async throws {
        try await Self.withFiles { folder, file in
            let sub = folder.appendingPathComponent("sub")
            try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
            let other = sub.appendingPathComponent("a.jpg").path
            try FileManager.default.copyItem(atPath: file, toPath: other)
            for isRehearsal in [true, false] {
                let mover = FileMover(folder: folder.appendingPathComponent("found").path, isRehearsal: isRehearsal)
                if !isRehearsal { try mover.prepare() }
                let places = try [file, other].map { try mover.move(InputPath($0), judged: Self.state($0)).text }
                #expect(places == ["a.jpg", "a (2).jpg"].map { "\(folder.path)/found/\($0)" })
            }
        }
    }

    @Test("A link stays in its place")
    func link() async throws {
        try await Self.withFiles { folder, file in
            let link = folder.appendingPathComponent("link.jpg").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            let mover = FileMover(folder: folder.appendingPathComponent("found").path, isRehearsal: false)
            try mover.prepare()
            let state = try Self.state(link)
            #expect(throws: FileMover.Failure.self) { try mover.move(InputPath(link), judged: state) }
            #expect(FileManager.default.fileExists(atPath: file))
        }
    }

    @Test func `A file is moved to another file system with its content, its permissions and its time`() async throws {
        try await Self.withFiles { folder, file in
            let shared = URL(fileURLWithPath: "/dev/shm/sca-\(UUID().uuidString)")
            let here = try #require(try folder.resourceValues(forKeys: [.volumeIdentifierKey]).volumeIdentifier)
            let there = try URL(fileURLWithPath: "/dev/shm").resourceValues(forKeys: [.volumeIdentifierKey])
            try #require(!here.isEqual(there.volumeIdentifier), "/dev/shm is the file system of the test's folder")
            defer { try? FileManager.default.removeItem(at: shared) }
            let time = Date(timeIntervalSince1970: 1_000_000_000)
            try FileManager.default.setAttributes(
                [.modificationDate: time, .posixPermissions: 0o640], ofItemAtPath: file)
            let mover = FileMover(folder: shared.path, isRehearsal: false)
            try mover.prepare()
            let place = try mover.move(InputPath(file), judged: Self.state(file)).text
            #expect(try String(contentsOfFile: place, encoding: .utf8) == "content")
            let attributes = try FileManager.default.attributesOfItem(atPath: place)
            #expect(attributes[.modificationDate] as? Date == time && attributes[.posixPermissions] as? Int == 0o640)
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(try FileManager.default.contentsOfDirectory(atPath: shared.path) == ["a.jpg"])
        }
    }

    @Test(
        "Sensitive files are moved, others stay, and the folder is not searched itself",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func command() async throws {
        try await ShellFolder.with { folder in
            let plain = fixture("plain/plain.jpg")
            let rehearsal = try await folder.run(
                "cp \"\(plain)\" plain.jpg; exec \"$0\" analyze -r --move-to found --dry-run -- .")
            #expect(rehearsal.exitCode == 1 && rehearsal.text.contains("would be moved to found/victim.jpg"))
            #expect(rehearsal.text.contains(" 1 would be moved."))
            #expect(try folder.names() == ["plain.jpg", "victim.jpg"])
            let move = try await folder.run("exec \"$0\" analyze -r --move-to found --format jsonl -- .")
            #expect(move.exitCode == 1 && move.lines.count == 2, "\(move.text)")
            #expect(move.text.contains("\"movedTo\":\"found/victim.jpg\"") && move.errors.contains(" 1 moved."))
            #expect(try folder.names() == ["found", "found/victim.jpg", "plain.jpg"])
            let again = try await folder.run("exec \"$0\" analyze -r --move-to found -- .")
            #expect(again.exitCode == 0 && again.text.contains("1 file: 0 sensitive"), "\(again.text)")
            let full = try await folder.run("cp found/victim.jpg .; exec \"$0\" analyze --move-to /proc -- victim.jpg")
            #expect(full.exitCode == 74 && full.text.contains("not moved: ") || full.exitCode == 74, "\(full.errors)")
            #expect(try folder.names().contains("victim.jpg"))
        }
    }
}
