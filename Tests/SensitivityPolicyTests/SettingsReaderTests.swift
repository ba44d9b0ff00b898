// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import SensitivityPolicy

@Suite("Settings files")
struct SettingsReaderTests {
    /// An administrator's file in a folder, where the one who runs the test is the administrator.
    private static func administrator(_ base: URL, owner: uid_t = getuid()) -> SettingsFile<String> {
        SettingsReader.administrator(["etc", "project", "file.json"], below: base.path, owner: owner)
    }

    private static func words(_ file: SettingsFile<String>) -> String {
        switch file {
        case .absent: "absent"
        case .refused(let reason): reason
        case .read(let text): "read: \(text)"
        }
    }

    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let words: String
        let change: @Sendable (URL) throws -> Void
    }

    static let cases: [Case] = [
        Case(description: "as it should be", words: "read: a = true") { _ in },
        Case(description: "missing", words: "absent") { try FileManager.default.removeItem(at: $0) },
        Case(description: "no folder", words: "absent") {
            try FileManager.default.removeItem(at: $0.deletingLastPathComponent())
        },
        Case(description: "written by the group", words: "may be written by others; take that away with: chmod go-w") {
            chmod($0.path, 0o664)
        },
        Case(description: "written by all", words: "may be written by others; take that away with: chmod go-w") {
            chmod($0.path, 0o646)
        },
        Case(
            description: "in a folder of all",
            words: "lies in the folder project, which may be written by others; take that away with: chmod go-w"
        ) { chmod($0.deletingLastPathComponent().path, 0o777) },
        Case(description: "a link", words: "lies behind a link, file.json; put the file itself there") {
            try FileManager.default.moveItem(at: $0, to: $0.appendingPathExtension("old"))
            try FileManager.default.createSymbolicLink(at: $0, withDestinationURL: $0.appendingPathExtension("old"))
        },
        Case(description: "in a linked folder", words: "lies behind a link, project; put the file itself there") {
            let folder = $0.deletingLastPathComponent()
            try FileManager.default.moveItem(at: folder, to: folder.appendingPathExtension("old"))
            try FileManager.default.createSymbolicLink(
                at: folder, withDestinationURL: folder.appendingPathExtension("old"))
        },
        Case(description: "in a file", words: "lies in project, which is no folder; make it one") {
            let folder = $0.deletingLastPathComponent()
            try FileManager.default.removeItem(at: folder)
            try Data().write(to: folder)
        },
        Case(description: "a folder", words: "is no regular file; put a text file there") {
            try FileManager.default.removeItem(at: $0)
            try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false)
        },
        Case(description: "a pipe", words: "is no regular file; put a text file there") {
            try FileManager.default.removeItem(at: $0)
            mkfifo($0.path, 0o644)
        },
        Case(description: "of 64 KiB and a byte", words: "is larger than 64 KiB; remove what is no setting") {
            try Data(repeating: 0x20, count: 65537).write(to: $0)
            chmod($0.path, 0o644)
        },
        Case(description: "with zeros", words: "holds zeros, so it is damaged; write it anew") {
            try Data([0x61, 0, 0, 0]).write(to: $0)
            chmod($0.path, 0o644)
        },
        Case(description: "no text", words: "is not text in UTF-8; save it as such") {
            try Data([0x61, 0xFF, 0xFE]).write(to: $0)
            chmod($0.path, 0o644)
        },
    ]

    @Test("Settings of the administrator are refused unless nobody else can have written them", arguments: cases)
    func administrators(_ example: Case) async throws {
        try await TestFiles.withFolder { base in
            let folder = base.appendingPathComponent("etc/project")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("file.json")
            try Data("a = true".utf8).write(to: file)
            for (path, mode) in [(folder.deletingLastPathComponent(), 0o755), (folder, 0o755), (file, 0o644)] {
                chmod(path.path, mode_t(mode))
            }
            try example.change(file)
            #expect(Self.words(Self.administrator(base)) == example.words)
        }
    }

    @Test("Settings of the administrator are refused if they or a folder above belong to somebody else")
    func owner() async throws {
        try await TestFiles.withFolder { base in
            let folder = base.appendingPathComponent("etc/project")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("a = true".utf8).write(to: folder.appendingPathComponent("file.json"))
            let words = Self.words(Self.administrator(base, owner: getuid() + 1))
            #expect(
                words == "lies in the folder etc, which belongs to the account \(getuid()); it has to belong to you")
        }
    }

    @Test(
        "Settings files that cannot be read are refused",
        .enabled(if: getuid() != 0, "Root may read everything; tests run as an ordinary user as well."))
    func permissions() async throws {
        try await TestFiles.withFolder { base in
            let folder = base.appendingPathComponent("etc/project")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("file.json")
            try Data("a = true".utf8).write(to: file)
            chmod(file.path, 0)
            #expect(Self.words(Self.administrator(base)).hasPrefix("cannot be read by this account"))
            #expect(Self.words(SettingsReader.personal(file.path)).hasPrefix("cannot be read by this account"))
        }
    }

    @Test("Settings of a person may lie behind a link, and are refused if others may write to them")
    func personal() async throws {
        try await TestFiles.withFolder { base in
            let file = base.appendingPathComponent("a.json")
            let link = base.appendingPathComponent("link.json")
            try Data("a = true".utf8).write(to: file)
            chmod(file.path, 0o600)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            #expect(SettingsReader.personal(link.path) == .read("a = true"))
            chmod(file.path, 0o622)
            #expect(Self.words(SettingsReader.personal(link.path)).hasPrefix("may be written by others"))
            #expect(SettingsReader.personal(base.appendingPathComponent("none").path) == .absent)
            #expect(Self.words(SettingsReader.personal(base.path)).hasPrefix("is no regular file"))
        }
    }

    @Test("Settings files of 64 KiB are read")
    func largest() async throws {
        try await TestFiles.withFolder { base in
            let file = base.appendingPathComponent("a.json")
            try Data(repeating: 0x20, count: 65536).write(to: file)
            chmod(file.path, 0o600)
            #expect(SettingsReader.personal(file.path) == .read(String(repeating: " ", count: 65536)))
        }
    }

    @Test(
        "Settings with a mistake are refused, and the mistake is named",
        arguments: [
            (
                "{\n  \"sensitiveContentWarning\": maybe}",
                "is not valid JSON: a value cannot be understood near line 2, column 30. Mend that line"
            ),
            ("", "is not valid JSON: it ends too early"),
            (#"{"testMode": 1e200}"#, "is not valid JSON: it has a number that is too large or too small"),
            ("[]", "is no object, { }"),
            (
                #"{"sensitiveContentWarning": "on"}"#,
                "has a value for \"sensitiveContentWarning\" that is neither true nor false"
            ),
            (
                #"{"sensitiveContentWarning": 1}"#,
                "has a value for \"sensitiveContentWarning\" that is neither true nor false"
            ),
            (
                #"{"sensitiveContentWarning": null}"#,
                "has a value for \"sensitiveContentWarning\" that is neither true nor false"
            ),
            (
                #"{"sensitiveContentWaring": true}"#,
                "has \"sensitiveContentWaring\", which is no setting. Remove it, or use one of "
            ),
            (#"{"apps": 3}"#, "has a value for \"apps\" that is no object, { }"),
            (#"{"apps": {"chat": "no"}}"#, "has a value for \"apps.chat\" that is neither true nor false"),
            (#"{"helpLinks": 1}"#, "has a value for \"helpLinks\" that is no list of objects, [{ }]"),
            (#"{"helpLinks": [1]}"#, "has a value for \"helpLinks\" that is no list of objects, [{ }]"),
            (#"{"helpLinks": [{"title": "a"}]}"#, "lacks \"helpLinks[0].url\". Add it"),
            (
                #"{"helpLinks": [{"title": 1, "url": "tel:1"}]}"#,
                "has a value for \"helpLinks[0].title\" that is not text. Write it in quotation marks"
            ),
            (
                #"{"helpLinks": [{"title": "a", "url": "javascript:1"}]}"#,
                "has a help link that begins with none of https:, tel:, sms:, mailto:"
            ),
            (#"{"testMode": true, "testMode": false}"#, "has \"testMode\" twice in one object"),
            (#"{"apps": {"chat": true, "chat": true}}"#, "has \"chat\" twice in one object"),
        ])
    func mistakes(text: String, words: String) {
        #expect {
            try UserSettings(parsing: text)
        } throws: {
            "\($0)".hasPrefix(words)
        }
    }

    @Test(arguments: [
        (#"{"usesAccountsService": 0}"#, "has a value for \"usesAccountsService\" that is neither true nor false"),
        (#"{"accounts": true}"#, "has a value for \"accounts\" that is no object, { }"),
        (#"{"accounts": {"kim": true}}"#, "has a value for \"accounts.kim\" that is no object, { }"),
        (
            #"{"accounts": {"kim": {"communicationSaftey": true}}}"#,
            "has \"accounts.kim.communicationSaftey\", which is no setting. Remove it, or use one of "
        ),
        (
            #"{"accounts": {"kim": {"communicationSafety": "on"}}}"#,
            "has a value for \"accounts.kim.communicationSafety\" that is neither true nor false"
        ),
        (
            #"{"accounts": {"kim": {"trustedGrownUp": {"phone": "1"}}}}"#,
            "has \"accounts.kim.trustedGrownUp.phone\", which is no setting. Remove it, or use one of "
        ),
        (
            #"{"accounts": {"kim": {"trustedGrownUp": {"contact": "1"}}}}"#,
            "lacks \"accounts.kim.trustedGrownUp.name\""
        ),
        (#"{"accounts": {}, "accounts": {}}"#, "has \"accounts\" twice in one object"),
    ])
    func `Settings of the administrator with a mistake are refused, and the mistake is named`(
        text: String, words: String
    ) {
        #expect {
            try AdministratorSettings(parsing: text)
        } throws: {
            "\($0)".hasPrefix(words)
        }
    }
}
