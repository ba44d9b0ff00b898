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
    /// Each resource says where and when it was read; most were read in files of other projects. Numbers change: an app
    /// whose users depend on them checks them.
    public static let standard: HelpDirectory = {
        do {
            return HelpDirectory(
                try JSONDecoder().decode([HelpResource].self, from: Data(PackageResources.HelpResources_json)))
        } catch {
            // Part of the program, and read by a test.
            fatalError("The resources of the package cannot be read: \(error)")
        }
    }()

    /// The resources for a person, those of the country first, then those that work anywhere.
    ///
    /// - Parameters:
    ///   - policy: children see nothing that is for adults alone, and adults nothing that is for children.
    ///   - country: a code of ISO 3166-1 such as "ES"; that of the process's locale if nil.
    public func resources(for policy: SCSensitivityAnalysisPolicy, country: String? = nil) -> [HelpResource] {
        let country = country?.uppercased() ?? Self.countryOfProcess()
        let others: HelpResource.Audience = policy == .descriptiveInterventions ? .adults : .children
        let fitting = resources.filter { $0.audience != others }
        let national = fitting.filter { $0.country != nil && $0.country == country }
        return national + fitting.filter { $0.country == nil }
    }

    /// The country of the process's locale, for example "AT" of "de_AT.UTF-8"; nil where it names none.
    private static func countryOfProcess() -> String? {
        LanguageList.tagOfMessages()?.split(separator: "-").dropFirst().first { $0.count == 2 }.map { $0.uppercased() }
    }
}
