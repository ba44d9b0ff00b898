// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import SensitiveContentAnalysis

/// Places where help is found, by country; an app can replace all of them.
public struct HelpDirectory: Sendable, Hashable {
    /// All resources.
    public let resources: [HelpResource]

    /// Creates a directory of an app's own.
    public init(_ resources: [HelpResource]) {
        self.resources = resources
    }

    /// The directory of this package: child helplines and services for pictures in 26 countries.
    ///
    /// Each resource says where and when it was read, in stored copies of pages of which some are years old. Numbers
    /// change: an app whose users depend on them checks them.
    public static let standard: HelpDirectory = {
        do {
            return HelpDirectory(
                try JSONDecoder().decode([HelpResource].self, from: Data(PackageResources.HelpResources_json)))
        } catch {
            // Compiled into the program, so that it reads the same everywhere: HelpDirectoryTests find a fault in it.
            fatalError("The resources of the package cannot be read: \(error)")
        }
    }()

    /// The resources for a person, those of the country first, then those that work anywhere; for children
    /// directories only where nobody of the country is known who listens.
    ///
    /// - Parameters:
    ///   - policy: children see nothing that is for adults alone, and adults nothing that is for children.
    ///   - country: a code of ISO 3166-1 such as "ES"; that of the process's locale if nil.
    public func resources(for policy: SCSensitivityAnalysisPolicy, country: String? = nil) -> [HelpResource] {
        let country = country?.uppercased() ?? Self.countryOfProcess()
        let others: HelpResource.Audience = policy == .descriptiveInterventions ? .adults : .children
        let fitting = resources.filter { $0.audience != others }
        var near = fitting.filter { $0.country != nil && $0.country == country }
        if near.isEmpty, let country, Self.europeanUnion.contains(country) {
            near = fitting.filter { $0.country == "EU" }
        }
        // A child who has a helpline at hand need not look for one; those of adults are often for some adults only.
        let hasListener = policy == .descriptiveInterventions && near.contains { $0.topic == .listening }
        let addresses = Set(near.map(\.url))
        return near
            + fitting.filter { place in
                place.country == nil && !addresses.contains(place.url) && !(place.topic == .directory && hasListener)
            }
    }

    /// The country of the process's locale, for example "AT" of "de_AT.UTF-8"; nil where it names none.
    ///
    /// Source: locale(7): LC_ADDRESS is about places and LC_TELEPHONE about services by telephone, LC_ALL overrides all,
    /// and LANG stands for what is not set. Who reads English messages in Spain has said so with LC_MESSAGES, which tells
    /// nothing of the place.
    static func countryOfProcess(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        func country(_ name: String) -> String? {
            environment[name].flatMap { LanguageList.tag(ofLocale: $0) }?.split(separator: "-").dropFirst()
                .first { $0.count == 2 }.map { $0.uppercased() }
        }
        if let all = environment["LC_ALL"], !all.isEmpty { return country("LC_ALL") }
        return ["LC_ADDRESS", "LC_TELEPHONE", "LANG"].lazy.compactMap(country).first
    }

    /// The members of the European Union, in which 116 111 is kept for child helplines.
    ///
    /// Source: Decision 2007/116/EC of the European Commission; the list of members of 2020.
    private static let europeanUnion: Set = [
        "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU",
        "LV",
        "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
    ]
}
