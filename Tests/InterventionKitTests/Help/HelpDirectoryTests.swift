// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SensitiveContentAnalysis
import Testing

@testable import InterventionKit

@Suite("Places where help is found")
struct HelpDirectoryTests {
    @Test("Each place of help has an address that can be opened, and states where and when it was read")
    func complete() throws {
        let resources = HelpDirectory.standard.resources
        #expect(resources.count >= 60)
        for resource in resources {
            #expect(resource.url.scheme == "https" && resource.url.host?.contains(".") == true, "\(resource.name)")
            // The source is the address of a page that a reader can open.
            let source = URL(string: resource.source)
            #expect(
                ["https", "http"].contains(source?.scheme) && source?.host?.contains(".") == true, "\(resource.name)")
            #expect(resource.sourceDate?.wholeMatch(of: /20\d\d(-\d\d){0,2}/) != nil || resource.sourceDate == nil)
            #expect(resource.collected?.wholeMatch(of: /20\d\d-\d\d-\d\d/) != nil)
            for number in [resource.phone, resource.sms].compactMap({ $0 }) {
                #expect(number.wholeMatch(of: /\+?[0-9][0-9 -]+[0-9]/) != nil, "\(resource.name): \(number)")
            }
            #expect(resource.country?.wholeMatch(of: /[A-Z]{2}/) != nil || resource.country == nil)
            #expect(!resource.languages.isEmpty, "\(resource.name)")
        }
        #expect(Set(resources).count == resources.count)
        #expect(resources.contains { $0.sourceDate != nil })
    }

    @Test("Each country has a place of help where somebody listens to a child")
    func children() {
        let directory = HelpDirectory.standard
        let countries = Set(directory.resources.compactMap(\.country)).subtracting(["EU"])
        #expect(countries.count == 26)
        for country in countries {
            let national = directory.resources(for: .descriptiveInterventions, country: country).filter {
                $0.country == country
            }
            #expect(national.contains { $0.topic == .listening && $0.phone != nil }, "\(country)")
        }
    }

    @Test("A child gets no place of help for adults alone, and an adult none for children alone")
    func audience() {
        let directory = HelpDirectory.standard
        let child = directory.resources(for: .descriptiveInterventions, country: "us")
        #expect(child.contains { $0.name.hasPrefix("Take It Down") } && !child.contains { $0.audience == .adults })
        let adult = directory.resources(for: .simpleInterventions, country: "us")
        #expect(adult.contains { $0.name == "StopNCII.org" } && !adult.contains { $0.audience == .children })
    }

    @Test("No place of help has a name that would frighten a child")
    func names() {
        for resource in HelpDirectory.standard.resources where resource.audience != .adults {
            for text in [resource.name, resource.url.absoluteString] {
                #expect(text.lowercased().firstMatch(of: /porn|abus|sex|missbrauch|violen|gewalt/) == nil, "\(text)")
            }
        }
    }

    @Test("Places of help of the country come first, and elsewhere the international places remain")
    func countries() {
        let directory = HelpDirectory.standard
        let spanish = directory.resources(for: .descriptiveInterventions, country: "ES")
        #expect(spanish.first?.country == "ES" && spanish.last?.country == nil)
        #expect(!spanish.contains { $0.topic == .directory })
        let elsewhere = directory.resources(for: .descriptiveInterventions, country: "XX")
        #expect(!elsewhere.isEmpty && elsewhere.allSatisfy { $0.country == nil })
        #expect(elsewhere.contains { $0.topic == .directory })
        #expect(directory.resources(for: .simpleInterventions, country: "DE").contains { $0.topic == .directory })
        // A resource that is listed for the country and for all countries appears once.
        let american = directory.resources(for: .descriptiveInterventions, country: "US")
        #expect(american.count { $0.name.hasPrefix("Take It Down") } == 1)
    }

    @Test("The European places of help are given only in members without services of their own")
    func europeanUnion() {
        func countries(_ country: String) -> Set<String?> {
            Set(HelpDirectory.standard.resources(for: .descriptiveInterventions, country: country).map(\.country))
        }
        #expect(countries("gr") == ["EU", nil] && countries("ES") == ["ES", nil] && countries("JP") == [nil])
        let reachable = (["EU"] + HelpDirectory.standard.resources.compactMap(\.country)).reduce(into: Set<String?>()) {
            $0.formUnion(countries($1 == "EU" ? "GR" : $1))
        }
        #expect(reachable == Set(HelpDirectory.standard.resources.map(\.country)))
    }

    @Test func `Places of help follow the person's country, and not the language`() {
        func country(_ environment: [String: String]) -> String? { HelpDirectory.countryOfProcess(environment) }
        #expect(country(["LANG": "de_AT.UTF-8"]) == "AT")
        #expect(country(["LANG": "en_US.UTF-8", "LC_ADDRESS": "es_ES.UTF-8"]) == "ES")
        #expect(country(["LANG": "en_US.UTF-8", "LC_ADDRESS": ""]) == "US")
        #expect(country(["LANG": "es_ES.UTF-8", "LC_MESSAGES": "en_US.UTF-8"]) == "ES")
        #expect(country(["LC_ALL": "C.UTF-8", "LC_ADDRESS": "es_ES", "LANG": "de_DE"]) == nil)
        #expect(country(["LC_ALL": "de_CH@euro", "LC_ADDRESS": "es_ES"]) == "CH" && country([:]) == nil)
    }

    @Test("An app can replace the places of help")
    func replaced() throws {
        let own = HelpResource(
            name: "Our line", audience: .everybody, topic: .listening, country: "ES",
            url: try #require(URL(string: "https://example.org")), source: "us")
        #expect(HelpDirectory([own]).resources(for: .descriptiveInterventions, country: "ES") == [own])
    }
}
