// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CInterventionFiles
internal import Foundation
public import SensitiveContentAnalysis

/// Services that help, by country; an app can replace all of them.
///
/// ```swift
/// for resource in HelpDirectory.standard.resources(for: analyzer.analysisPolicy, country: "ES") {
///     view.addLink(resource.name, resource.url)
///     if let phone = resource.phone { view.say(phone) }
/// }
/// ```
public struct HelpDirectory: Sendable, Hashable {
    /// All services of the directory.
    public let resources: [HelpResource]

    /// Creates a directory with the resources of an app.
    public init(_ resources: [HelpResource]) {
        self.resources = resources
    }

    /// The directory of this package: helplines, and services against shared pictures, in 26 countries.
    ///
    /// Each resource names its source and the date of reading. The sources are stored copies of pages, and some are
    /// years old. Numbers change, so an app whose users depend on them should check them.
    public static let standard: HelpDirectory = {
        do {
            return HelpDirectory(
                try unsafe JSONDecoder().decode([HelpResource].self, from: Data(CInterventionFiles_help())))
        } catch {
            // The data is compiled into the program, so it is the same everywhere. HelpDirectoryTests find faults.
            fatalError("The resources of the package cannot be read: \(error)")
        }
    }()

    /// Returns the resources for a person: first those of the country, then those that work anywhere.
    ///
    /// A child gets services of the topic `directory` only if the country has no known helpline.
    ///
    /// - Parameters:
    ///   - policy: the policy in force; children get no resources for adults only, and adults get none for children.
    ///   - country: a code of ISO 3166-1 such as "ES"; the country of the process's locale if nil.
    public func resources(for policy: SCSensitivityAnalysisPolicy, country: String? = nil) -> [HelpResource] {
        let country = country?.uppercased() ?? Self.countryOfProcess()
        let others: HelpResource.Audience = policy == .descriptiveInterventions ? .adults : .children
        let fitting = resources.filter { $0.audience != others }
        var near = fitting.filter { $0.country != nil && $0.country == country }
        if near.isEmpty, let country, Self.europeanUnion.contains(country) {
            near = fitting.filter { $0.country == "EU" }
        }
        // With a helpline, a child needs no search for services. Helplines for adults often serve only some adults.
        let hasListener = policy == .descriptiveInterventions && near.contains { $0.topic == .listening }
        let addresses = Set(near.map(\.url))
        return near
            + fitting.filter { place in
                place.country == nil && !addresses.contains(place.url) && !(place.topic == .directory && hasListener)
            }
    }

    /// Returns the country of the process's locale, for example "AT" of "de_AT.UTF-8"; nil if the locale has none.
    ///
    /// Source: locale(7): LC_ADDRESS is about places, LC_TELEPHONE about telephone services. LC_ALL overrides all
    /// variables, and LANG is the default. LC_MESSAGES is not read, because it only gives a language: a person in Spain
    /// may read English messages.
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

    /// The members of the European Union, in which 116 111 is reserved for child helplines.
    ///
    /// Source: Decision 2007/116/EC of the European Commission, as amended by 2007/698/EC; the list of members of 2020.
    private static let europeanUnion: Set = [
        "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU",
        "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
    ]
}
