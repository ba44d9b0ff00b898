// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A link to help for a person.
package struct HelpLink: Sendable, Hashable {
    package let title: String
    /// An address that begins with https:, tel:, sms: or mailto:.
    package let url: String

    /// The name of the member that holds the list of links, in every settings file.
    static let key = "helpLinks"

    static let schemes = ["https:", "tel:", "sms:", "mailto:"]

    init(_ object: SettingsObject) throws(SettingsError) {
        try object.requireNoKeys(but: ["title", "url"])
        title = try object.requiredString("title")
        let url = try object.requiredString("url")
        guard Self.schemes.contains(where: url.hasPrefix) else {
            throw SettingsError(
                "has a help link that begins with none of \(Self.schemes.joined(separator: ", "))")
        }
        self.url = url
    }

    static func links(in object: SettingsObject) throws(SettingsError) -> [HelpLink] {
        var links: [HelpLink] = []
        for link in try object.objects(key) { links.append(try HelpLink(link)) }
        return links
    }
}
