// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SensitivityPolicy

@Suite("Settings that are written")
struct SettingsWriterTests {
    @Test("A change after which the file would be too large to be read is refused, and the file stays as it is")
    func tooLarge() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("settings.json")
            // Compact, so that it is within the limit now; written with indentation it is not.
            let apps = (0..<4300).map { "\"\(100_000 + $0)\":true" }.joined(separator: ",")
            let text = "{\"apps\":{\(apps)}}"
            #expect(text.utf8.count <= SettingsReader.maximumByteCount)
            try Data(text.utf8).write(to: file)
            chmod(file.path, 0o600)
            let failure = #expect(throws: SettingsWriteFailure.self) {
                _ = try SettingsWriter.setPersonal("sensitiveContentWarning", to: false, file: file.path)
            }
            #expect(failure?.description.contains("would be larger than 64 KiB") == true)
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }

    @Test("Changes that are made at the same time are all kept")
    func atOnce() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("settings.json").path
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try SettingsWriter.setPersonal("app\(number)", to: true, in: ["apps"], file: file)
                    }
                }
                try await group.waitForAll()
            }
            let settings = try UserSettings(parsing: String(contentsOfFile: file, encoding: .utf8))
            #expect(settings.apps.count == 20)
        }
    }

    @Test("A member that is removed leaves the others, and the removal of a member that is missing changes nothing")
    func removal() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("settings.json").path
            for app in ["chat", "mail"] { _ = try SettingsWriter.setPersonal(app, to: true, in: ["apps"], file: file) }
            _ = try SettingsWriter.setPersonal("chat", to: nil, in: ["apps"], file: file)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(try UserSettings(parsing: text).apps == ["mail": true])
            _ = try SettingsWriter.setPersonal("chat", to: nil, in: ["apps"], file: file)
            _ = try SettingsWriter.setPersonal("chat", to: nil, in: ["others"], file: file)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
    }

    @Test("A file that a writer has left behind when it was killed does not stop the next writer")
    func leftover() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("settings.json").path
            try Data("{".utf8).write(to: URL(fileURLWithPath: "\(file).new"))
            _ = try SettingsWriter.setPersonal("testMode", to: true, file: file)
            #expect(try UserSettings(parsing: String(contentsOfFile: file, encoding: .utf8)).isTestMode)
        }
    }
}
