// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import SensitivityPolicy
import Testing

@Suite("The policy in force")
struct EffectivePolicyTests {
    /// Communication Safety, Sensitive Content Warning and the entitlement; then the policy for an app that demands
    /// nothing, simple and descriptive interventions.
    static let table: [(CommunicationSafety, ContentWarning, Bool, [AnalysisPolicy])] = [
        (.off, .off, false, [.disabled, .simple, .descriptive]),
        (.off, .off, true, [.disabled, .simple, .descriptive]),
        (.off, .on, false, [.disabled, .simple, .descriptive]),
        (.off, .on, true, [.simple, .simple, .descriptive]),
        (.off, .unknown, false, [.disabled, .simple, .descriptive]),
        (.off, .unknown, true, [.simple, .simple, .descriptive]),
        (.on, .off, false, [.descriptive, .descriptive, .descriptive]),
        (.on, .off, true, [.descriptive, .descriptive, .descriptive]),
        (.on, .on, false, [.descriptive, .descriptive, .descriptive]),
        (.on, .on, true, [.descriptive, .descriptive, .descriptive]),
        (.on, .unknown, false, [.descriptive, .descriptive, .descriptive]),
        (.on, .unknown, true, [.descriptive, .descriptive, .descriptive]),
        (.unknown, .off, false, [.descriptive, .descriptive, .descriptive]),
        (.unknown, .off, true, [.descriptive, .descriptive, .descriptive]),
        (.unknown, .on, false, [.descriptive, .descriptive, .descriptive]),
        (.unknown, .on, true, [.descriptive, .descriptive, .descriptive]),
        (.unknown, .unknown, false, [.descriptive, .descriptive, .descriptive]),
        (.unknown, .unknown, true, [.descriptive, .descriptive, .descriptive]),
    ]

    @Test("The policy in force is the strictest that the parent, the person and the app want, in every combination")
    func everyCombination() {
        var seen: Set<String> = []
        for (safety, warning, isEntitled, policies) in Self.table {
            seen.insert("\(safety) \(warning) \(isEntitled)")
            for (demand, policy) in zip(AnalysisPolicy.allCases, policies) {
                let result = EffectivePolicy.policy(
                    communicationSafety: safety, contentWarning: warning, isEntitled: isEntitled, demand: demand)
                #expect(result == policy, "\(safety) \(warning) \(isEntitled) \(demand)")
            }
        }
        #expect(seen.count == CommunicationSafety.allCases.count * ContentWarning.allCases.count * 2)
    }

    @Test(
        "A parent's filter for less than sexual nudity is on, and a filter that is not understood is unknown",
        arguments: [
            ("oars-1.1", "none", .on), ("oars-1.1", "mild", .on), ("oars-1.1", "moderate", .off),
            ("oars-1.1", "intense", .off), ("oars-1.1", nil, .off), ("oars-1.0", "none", .on),
            ("oars-1.0", nil, .off), ("oars-1.1", "unknown", .unknown), ("oars-1.1", "None", .unknown),
            ("oars-1.1", "", .unknown), ("oars-2.0", "intense", .unknown), ("", nil, .unknown),
        ] as [(String, String?, CommunicationSafety)])
    func filter(scheme: String, value: String?, result: CommunicationSafety) {
        var sections = ["violence-cartoon": "none", "language-sex": "intense"]
        sections["sex-nudity"] = value
        #expect(OARSFilter(scheme: scheme, sections: sections).communicationSafety == result)
    }
}
