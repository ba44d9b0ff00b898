// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SensitiveContentAnalysis
package import SensitivityPolicy

/// The help that an administrator or the person has chosen for this account.
///
/// ```swift
/// let help = PersonalHelp.ofAccount()
/// for link in help.links { view.addLink(link.title, link.url) }
/// if flow.presentation.offers(.contactGrownUp) {
///     view.addButton(words.label(of: .contactGrownUp, in: flow, grownUp: help.trustedGrownUp?.name))
/// }
/// ```
public struct PersonalHelp: Sendable, Hashable {
    /// The person whom a child can turn to; nil if nobody is named.
    public let trustedGrownUp: TrustedGrownUp?
    /// The links, which precede the resources of the directory.
    public let links: [Link]

    /// A person whom a child trusts.
    public struct TrustedGrownUp: Sendable, Hashable {
        /// The name by which the child knows the person.
        public let name: String
        /// The address of the person, for example "tel:+34600000000"; nil if it is unknown.
        public let contact: String?

        /// Creates a person that the app knows.
        public init(name: String, contact: String?) {
            self.name = name
            self.contact = contact
        }
    }

    /// A link that somebody has chosen for the account.
    public struct Link: Sendable, Hashable {
        /// The title of the link.
        public let title: String
        /// An address that begins with https:, tel:, sms: or mailto:.
        public let url: URL

        /// Creates a link that the app has chosen.
        public init(title: String, url: URL) {
            self.title = title
            self.url = url
        }
    }

    /// Creates help that the app has chosen.
    public init(trustedGrownUp: TrustedGrownUp?, links: [Link] = []) {
        self.trustedGrownUp = trustedGrownUp
        self.links = links
    }

    /// Returns the current help for this account.
    ///
    /// For a child it comes from the administrator's file only, which nobody else can change. For other people the
    /// links of their own settings are added. A refused file gives no help, but the directory remains.
    public static func ofAccount() -> PersonalHelp {
        PersonalHelp(SCSensitivityAnalyzer.policySnapshot)
    }

    package init(_ snapshot: PolicySnapshot) {
        let account = snapshot.account
        var links = account?.helpLinks ?? []
        // Under Communication Safety the person's file is not read, so `userFile` is nil.
        if case .read(let settings) = snapshot.userFile { links += settings.helpLinks }
        self.init(
            trustedGrownUp: (account?.trustedGrownUp).map { TrustedGrownUp(name: $0.name, contact: $0.contact) },
            links: links.compactMap { link in URL(string: link.url).map { Link(title: link.title, url: $0) } })
    }
}
