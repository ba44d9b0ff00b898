// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SensitiveContentAnalysis
package import SensitivityPolicy

/// The help that an administrator or the person has named for this account.
public struct PersonalHelp: Sendable, Hashable {
    /// Whom a child can turn to; nil where nobody is named.
    public let trustedGrownUp: TrustedGrownUp?
    /// Links that come before those of the directory.
    public let links: [Link]

    /// A person whom a child trusts.
    public struct TrustedGrownUp: Sendable, Hashable {
        /// The name by which the child knows the person.
        public let name: String
        /// How to reach the person, for example "tel:+34600000000"; nil where it is not said.
        public let contact: String?

        /// Creates a person, for an app that knows one itself.
        public init(name: String, contact: String?) {
            self.name = name
            self.contact = contact
        }
    }

    /// A link that somebody has chosen for the account.
    public struct Link: Sendable, Hashable {
        /// What the link is called.
        public let title: String
        /// An address that begins with https:, tel:, sms: or mailto:.
        public let url: URL

        /// Creates a link, for an app that chooses its own.
        public init(title: String, url: URL) {
            self.title = title
            self.url = url
        }
    }

    /// Creates the help of an app's own choice.
    public init(trustedGrownUp: TrustedGrownUp?, links: [Link] = []) {
        self.trustedGrownUp = trustedGrownUp
        self.links = links
    }

    /// The help for this account as it is set now.
    ///
    /// For a child it comes from the administrator's file alone, which nobody else can change; for others from the
    /// person's own settings as well. A file that is refused gives no help, and the directory remains.
    public static func ofAccount() -> PersonalHelp {
        PersonalHelp(SCSensitivityAnalyzer.policySnapshot)
    }

    package init(_ snapshot: PolicySnapshot) {
        let account = snapshot.account
        var links = account?.helpLinks ?? []
        // Under Communication Safety the person's file is not read.
        if case .read(let settings) = snapshot.userFile { links += settings.helpLinks }
        self.init(
            trustedGrownUp: (account?.trustedGrownUp).map { TrustedGrownUp(name: $0.name, contact: $0.contact) },
            links: links.compactMap { link in URL(string: link.url).map { Link(title: link.title, url: $0) } })
    }
}
