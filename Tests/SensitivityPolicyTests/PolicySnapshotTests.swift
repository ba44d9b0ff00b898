// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import SensitivityPolicy

@Suite("What the sources say together")
struct PolicySnapshotTests {
    static func snapshot(
        _ controls: ParentalControlsState, _ file: SettingsFile<String> = .absent, name: String? = "kim"
    ) -> PolicySnapshot {
        var snapshot = PolicySnapshot(
            app: AppIdentity(path: "/opt/chat/bin/chat"), accountNumber: 1007, accountName: name,
            parentalControls: controls, entitlement: .present(file: "chat.entitlements"))
        snapshot.administratorFile = file.parsed { text throws(SettingsError) in
            try AdministratorSettings(parsing: text)
        }
        return snapshot
    }

    static let restricted = ParentalControlsState.answered(
        OARSFilter(scheme: "oars-1.1", sections: ["sex-nudity": "none"]))
    static let free = ParentalControlsState.answered(OARSFilter(scheme: "oars-1.1", sections: [:]))

    @Test("A snapshot has a state for every source that is followed, and is in force before their first answers")
    func everySource() {
        let snapshot = Self.snapshot(.notAsked)
        let sources = PolicySources().makeAll(for: snapshot)
        #expect(sources.count == snapshot.sourceStates.count && sources.first is AdministratorFileSource)
        #expect(snapshot.communicationSafety == .unknown && !snapshot.sourceStates.allSatisfy(\.hasAnswered))
    }

    @Test("Communication Safety is off only if every relevant source says so")
    func communicationSafety() {
        let (on, off) = (
            SettingsFile.read(#"{"accounts": {"kim": {"communicationSafety": true}}}"#),
            SettingsFile.read(#"{"accounts": {"kim": {"communicationSafety": false}}}"#)
        )
        let refused = SettingsFile<String>.refused("lies behind a link")
        let rows: [(ParentalControlsState, SettingsFile<String>, CommunicationSafety)] = [
            (.notInstalled, .absent, .off), (.notInstalled, on, .on), (.notInstalled, off, .off),
            (.notInstalled, refused, .unknown), (.notInstalled, .read("{}"), .off),
            (.notInstalled, .read(""), .unknown), (.notInstalled, .read(#"{"acounts": 1}"#), .unknown),
            // The two parsers of Foundation differ about which of two members counts, so neither does.
            (
                .notInstalled,
                .read(#"{"accounts": {"kim": {"communicationSafety": false, "communicationSafety": false}}}"#), .unknown
            ),
            (.notInstalled, .read(#"{"accounts": {"kim": {"communicationSafety": true}}, "accounts": {}}"#), .unknown),
            (.notInstalled, .read(#"{"accounts": {}, "accounts": {"kim": {"communicationSafety": true}}}"#), .unknown),
            (.notUsed, .absent, .off), (.notUsed, on, .on), (.notUsed, off, .off), (.notUsed, refused, .unknown),
            (.unanswered("silence"), .absent, .unknown), (.unanswered("silence"), on, .on),
            (.unanswered("silence"), off, .unknown), (.unanswered("silence"), refused, .unknown),
            (.answered(nil), .absent, .off), (.answered(nil), on, .on), (.answered(nil), off, .off),
            (.answered(nil), refused, .unknown),
            (Self.free, .absent, .off), (Self.free, on, .on), (Self.free, off, .off), (Self.free, refused, .unknown),
            (Self.restricted, .absent, .on), (Self.restricted, on, .on), (Self.restricted, off, .on),
            (Self.restricted, .read(#"{"accounts": {"other": {"communicationSafety": false}}}"#), .on),
        ]
        for (controls, file, result) in rows {
            #expect(Self.snapshot(controls, file).communicationSafety == result, "\(controls) \(file)")
        }
    }

    @Test("An account is found by its name or number, and an account without a known name may be any in the file")
    func account() {
        let file = SettingsFile.read(#"{"accounts": {"1007": {"communicationSafety": true}}}"#)
        #expect(Self.snapshot(.notInstalled, file).communicationSafety == .on)
        #expect(Self.snapshot(.notInstalled, file, name: nil).communicationSafety == .on)
        let two = SettingsFile.read(
            #"{"accounts": {"kim": {"trustedGrownUp": {"name": "Ana"}}, "1007": {"communicationSafety": true}}}"#)
        #expect(Self.snapshot(.notInstalled, two).communicationSafety == .on)
        #expect(Self.snapshot(.notInstalled, two).account?.trustedGrownUp?.name == "Ana")
        let opposite = SettingsFile.read(
            #"{"accounts": {"kim": {"communicationSafety": true}, "1007": {"communicationSafety": false}}}"#)
        #expect(Self.snapshot(.notInstalled, opposite).communicationSafety == .on)
        let other = SettingsFile.read(#"{"accounts": {"lee": {"communicationSafety": true}}}"#)
        #expect(Self.snapshot(.notInstalled, other).communicationSafety == .off)
        #expect(Self.snapshot(.notInstalled, other, name: nil).communicationSafety == .unknown)
    }

    @Test("An app's own entry overrides the entry for all apps, and broken settings leave the warning unknown")
    func contentWarning() {
        let rows: [(SettingsFile<String>, ContentWarning)] = [
            (.absent, .off), (.read("{}"), .off), (.read(#"{"sensitiveContentWarning": true}"#), .on),
            (.read(#"{"sensitiveContentWarning": false}"#), .off),
            (.read(#"{"sensitiveContentWarning": true, "apps": {"chat": false}}"#), .off),
            (.read(#"{"apps": {"chat": true}}"#), .on), (.read(#"{"apps": {"other": true}}"#), .off),
            (.read(#"{"apps": {"chat": true, "/opt/chat/bin/chat": false}}"#), .off),
            (.read(#"{"apps": {"chat": 1}}"#), .unknown), (.read(""), .unknown),
            (.read(#"{"sensitiveContentWarning": false, "sensitiveContentWarning": false}"#), .unknown),
            (.refused("is no regular file"), .unknown),
        ]
        for (file, result) in rows {
            var snapshot = Self.snapshot(.notInstalled)
            snapshot.userFile = file.parsed { text throws(SettingsError) in try UserSettings(parsing: text) }
            #expect(snapshot.contentWarning == result, "\(file)")
        }
    }

    @Test("A snapshot has the trusted grown-up and the links for help of an account")
    func help() throws {
        let text = """
            {"accounts": {"kim": {
              "communicationSafety": true,
              "trustedGrownUp": {"name": "Ana", "contact": "tel:+34123"},
              "helpLinks": [{"title": "Talk to somebody", "url": "https://example.org/help"}]
            }}}
            """
        let account = try #require(Self.snapshot(.notInstalled, .read(text)).account)
        #expect(account.trustedGrownUp?.name == "Ana" && account.trustedGrownUp?.contact == "tel:+34123")
        #expect(account.helpLinks.map(\.url) == ["https://example.org/help"])
    }

    @Test("An account is found by any of its names, and names without an account are known")
    func names() throws {
        var settings = try AdministratorSettings(
            parsing: #"{"accounts": {"kimmy": {"communicationSafety": true}, "Kim": {}, "kim": {}}}"#)
        settings.resolveAccounts { ["kim": 1000, "kimmy": 1000][$0] }
        #expect(settings.account(number: 1000, name: "kim")?.communicationSafety == true)
        #expect(settings.account(number: 1001, name: "lee") == nil)
        #expect(settings.unknownNames == ["Kim"])
    }
}
