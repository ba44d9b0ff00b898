// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A place where a person finds help: a helpline, or a service that has pictures taken down.
public struct HelpResource: Sendable, Hashable {
    /// The name of the service, in its own language.
    public let name: String
    /// Whom the service is for.
    public let audience: Audience
    /// What the service helps with.
    public let topic: Topic
    /// The country in which it works, as a code of ISO 3166-1 such as "ES"; "EU" for members of the European Union
    /// that have no service of their own here; nil for any.
    public let country: String?
    /// The number to call, as it is dialled in the country; nil where there is none.
    public let phone: String?
    /// The number for text messages; nil where there is none.
    public let sms: String?
    /// The address of the service, or the link of the person's own that stands for it.
    public let url: URL
    /// The languages spoken, as tags of BCP 47.
    public let languages: [String]
    /// Where the number or the service was read, in words or as an address.
    public let source: String
    /// The day, the month or the year that the source itself bears, for example "2024-03"; nil where it bears none.
    public let sourceDate: String?
    /// The day on which they were read there, for example "2026-11-22"; nil where nobody has noted it.
    public let collected: String?

    /// Whom a service is for.
    public enum Audience: String, Sendable, Hashable, Codable {
        /// For children and young people.
        case children
        /// For adults alone.
        case adults
        /// For everybody.
        case everybody
    }

    /// What a service helps with.
    public enum Topic: String, Sendable, Hashable, Codable, CaseIterable {
        /// Somebody listens, to whatever the trouble is.
        case listening
        /// Intimate pictures that were shared, asked for, or used to threaten.
        case pictures
        /// Finding a service in one's own country.
        case directory
    }

    /// Creates a resource, for an app that names its own.
    public init(
        name: String, audience: Audience, topic: Topic, country: String? = nil, phone: String? = nil,
        sms: String? = nil, url: URL, languages: [String] = [], source: String, sourceDate: String? = nil,
        collected: String? = nil
    ) {
        self.name = name
        self.audience = audience
        self.topic = topic
        self.country = country
        self.phone = phone
        self.sms = sms
        self.url = url
        self.languages = languages
        self.source = source
        self.sourceDate = sourceDate
        self.collected = collected
    }
}

extension HelpResource: Codable {}
