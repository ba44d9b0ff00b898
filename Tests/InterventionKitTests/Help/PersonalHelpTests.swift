// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import InterventionKit
import SensitivityPolicy
import Testing

@Suite("The help that somebody has named for an account")
struct PersonalHelpTests {
    private static func snapshot(administrator: String?, user: String?) throws -> PolicySnapshot {
        var snapshot = PolicySnapshot(
            app: AppIdentity(path: "/opt/chat/bin/chat"), accountNumber: 1007, accountName: "kim",
            parentalControls: .notInstalled, entitlement: .present(file: "chat.entitlements"))
        if let administrator {
            snapshot.administratorFile = .read(try AdministratorSettings(parsing: administrator))
        }
        snapshot.userFile = try user.map { .read(try UserSettings(parsing: $0)) }
        return snapshot
    }

    private static let account = """
        {"accounts": {"kim": {
          "communicationSafety": true,
          "trustedGrownUp": {"name": "Ana", "contact": "tel:+34600000000"},
          "helpLinks": [{"title": "The school", "url": "https://school.example.org"}]
        }}}
        """

    private static let user = """
        {"helpLinks": [{"title": "Mine", "url": "https://mine.example.org"}]}
        """

    @Test("Personal help begins with the administrator's grown-up and links, and then has the person's own links")
    func sources() throws {
        let child = PersonalHelp(try Self.snapshot(administrator: Self.account, user: nil))
        #expect(child.trustedGrownUp == .init(name: "Ana", contact: "tel:+34600000000"))
        #expect(child.links.map(\.title) == ["The school"])
        #expect(child.links.first?.url.absoluteString == "https://school.example.org")
        let both = PersonalHelp(try Self.snapshot(administrator: Self.account, user: Self.user))
        #expect(both.links.map(\.title) == ["The school", "Mine"])
        let own = PersonalHelp(try Self.snapshot(administrator: nil, user: Self.user))
        #expect(own.trustedGrownUp == nil && own.links.map(\.title) == ["Mine"])
    }

    @Test("Personal help is not that of another account, and is empty if a file is refused")
    func others() throws {
        let other = Self.account.replacing("kim", with: "lee")
        #expect(PersonalHelp(try Self.snapshot(administrator: other, user: nil)) == PersonalHelp(trustedGrownUp: nil))
        var refused = try Self.snapshot(administrator: nil, user: nil)
        refused.administratorFile = .refused("lies behind a link")
        refused.userFile = .refused("lies behind a link")
        #expect(PersonalHelp(refused) == PersonalHelp(trustedGrownUp: nil))
    }

    @Test("An app can replace the personal help")
    func replaced() throws {
        let link = PersonalHelp.Link(title: "Ours", url: try #require(URL(string: "tel:+34600000001")))
        let help = PersonalHelp(trustedGrownUp: .init(name: "Berta", contact: nil), links: [link])
        #expect(help.links == [link] && help.trustedGrownUp?.name == "Berta")
    }
}
