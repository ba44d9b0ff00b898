// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A service that helps a person: a helpline, or a service that has pictures removed.
public struct HelpResource: Sendable, Hashable {
    /// The name of the service, in its own language.
    public let name: String
    /// The people whom the service is for.
    public let audience: Audience
    /// The trouble that the service helps with.
    public let topic: Topic
    /// The country of the service, as a code of ISO 3166-1 such as "ES"; nil for any country.
    ///
    /// "EU" stands for members of the European Union that have no service of their own in the directory.
    public let country: String?
    /// The telephone number, as it is dialled in the country; nil if there is none.
    public let phone: String?
    /// The number for text messages; nil if there is none.
    public let sms: String?
    /// The address of the service's page.
    public let url: URL
    /// The languages spoken, as tags of BCP 47.
    public let languages: [String]
    /// The source of the number or the service, in words or as an address.
    public let source: String
    /// The date of the source: a day, a month or a year, for example "2024-03"; nil if the source has no date.
    public let sourceDate: String?
    /// The day on which the source was read, for example "2026-11-22"; nil if the day is unknown.
    public let collected: String?

    /// The people whom a service is for.
    public enum Audience: String, Sendable, Hashable, Codable {
        /// For children and young people.
        case children
        /// For adults alone.
        case adults
        /// For everybody.
        case everybody
    }

    /// The trouble that a service helps with.
    public enum Topic: String, Sendable, Hashable, Codable, CaseIterable {
        /// Listening to any trouble.
        case listening
        /// Intimate pictures that were shared, asked for, or used to threaten.
        case pictures
        /// The search for a service in the person's own country.
        case directory
    }

    /// Creates a resource of an app.
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
