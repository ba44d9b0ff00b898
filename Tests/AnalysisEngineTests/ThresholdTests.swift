// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import SensitivityPolicy
import TestSupport
import Testing

@Suite struct ThresholdTests {
    private static let manifest = Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9)
    /// Twenty tries to loosen a verdict.
    static let tries: [Float] = [
        0.41, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.71, 0.75, 0.8, 0.85, 0.9, 0.91, 0.95, 0.99, 0.999, 0.9999, 0.99999,
        Float(1).nextDown, 1,
    ]

    /// The facts for an app of an account with or without a parent's and the person's own choice.
    private static func snapshot(isProtected: Bool, warns: Bool = false) throws -> PolicySnapshot {
        let sections = isProtected ? ["sex-nudity": "none"] : [:]
        var snapshot = PolicySnapshot(
            app: AppIdentity(path: "/opt/chat/bin/chat"), accountNumber: 1007, accountName: "kim",
            parentalControls: .answered(OARSFilter(scheme: "oars-1.1", sections: sections)),
            entitlement: .present(file: "chat.entitlements"))
        if warns {
            snapshot.userFile = .read(try UserSettings(parsing: #"{"sensitiveContentWarning": true}"#))
            #expect(snapshot.contentWarning.isInForce)
        }
        #expect(snapshot.communicationSafety.isInForce == isProtected)
        return snapshot
    }

    @Test(arguments: tries, [true, false])
    func `no threshold loosens a verdict under Communication Safety`(threshold: Float, isPersons: Bool) throws {
        let authority = AnalysisAuthority(
            try Self.snapshot(isProtected: true), demand: .simple, threshold: threshold, isPersonsThreshold: isPersons)
        let inForce = try #require(authority.request().threshold).applied(to: Self.manifest)
        for policy in [AnalysisPolicy.simple, .descriptive] {
            #expect(inForce.threshold(under: policy) <= Self.manifest.threshold(under: policy))
        }
        #expect(inForce.strong <= Self.manifest.strong)
    }

    @Test(arguments: tries)
    func `an app's threshold does not loosen the person's own warning`(threshold: Float) throws {
        let authority = AnalysisAuthority(
            try Self.snapshot(isProtected: false, warns: true), demand: .simple, threshold: threshold)
        let inForce = try #require(authority.request().threshold).applied(to: Self.manifest)
        #expect(inForce.simple <= Self.manifest.simple && inForce.descriptive <= Self.manifest.descriptive)
    }

    @Test func `a person's threshold replaces those of the model where no parent has chosen`() throws {
        let authority = AnalysisAuthority(
            try Self.snapshot(isProtected: false, warns: true), demand: .simple, threshold: 0.95,
            isPersonsThreshold: true)
        let inForce = try #require(authority.request().threshold).applied(to: Self.manifest)
        #expect(inForce == Thresholds(simple: 0.95, descriptive: 0.95, strong: 0.95))
        #expect(inForce.areValid)
    }

    @Test(arguments: [true, false])
    func `a stricter threshold counts under every policy`(isProtected: Bool) throws {
        let authority = AnalysisAuthority(
            try Self.snapshot(isProtected: isProtected), demand: .simple, threshold: 0.2)
        let inForce = try #require(authority.request().threshold).applied(to: Self.manifest)
        #expect(inForce.simple == 0.2 && inForce.descriptive == 0.2 && inForce.strong == 0.9)
    }

    @Test(arguments: [0, -0.1, 1.1, Float.nan, .infinity])
    func `a number that is no threshold is refused`(threshold: Float) {
        let request = AnalysisRequest(
            policy: .simple, threshold: ThresholdDemand(value: threshold, canOnlyTighten: false))
        #expect(throws: AnalysisFailure.self) { try request.validate() }
    }

    @Test(arguments: [(Float(0.6), false), (0.3, true), (0.5, true)])
    func `a picture is sensitive from the demanded threshold on`(threshold: Float, isSensitive: Bool) async throws {
        let request = AnalysisRequest(
            policy: .simple, threshold: ThresholdDemand(value: threshold, canOnlyTighten: false))
        let analysis = try await AnalysisEngineTests.engine { _ in 0.5 }
            .analyzeMedia(request) { .file(path: TestFiles.fixtures.appendingPathComponent("plain/plain.jpg").path) }
            .get()
        #expect(analysis.score == 0.5)
        #expect(analysis.isSensitive == isSensitive)
    }
}
