// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// No @testable here: this is what an app sees.
import Foundation
import TestSupport
import Testing

#if canImport(SensitiveContentAnalysis)
import SensitiveContentAnalysis

/// What compiles on Apple's systems compiles here; most of this suite has done its work when it is built.
@Suite("The idioms of apps for Apple's systems")
struct AppleIdiomTests {
    init() throws {
        try MachinePolicy.ignore()
    }

    /// As apps write it that have to compile for systems to come.
    static func words(_ policy: SCSensitivityAnalysisPolicy) -> String {
        switch policy {
        case .disabled: "nothing"
        case .simpleInterventions: "a word"
        case .descriptiveInterventions: "an explanation"
        @unknown default: "an explanation"
        }
    }

    @Test("Policies have the raw values of Apple's policies, and room for further ones")
    func policies() {
        #expect(
            (0...2).map { SCSensitivityAnalysisPolicy(rawValue: $0).map(Self.words) } == [
                "nothing", "a word", "an explanation",
            ])
        #expect(SCSensitivityAnalysisPolicy(rawValue: 3) == nil)
    }

    @Test("Content types are open-ended, comparable values")
    func contentTypes() {
        let other = SCSensitivityAnalysis.ContentType(rawValue: "other")
        #expect(other != .sexuallyExplicit && other.rawValue == "other")
        let types: Set<SCSensitivityAnalysis.ContentType> = [.sexuallyExplicit, .goreOrViolence, .sexuallyExplicit]
        #expect(types.count == 2 && types.isSuperset(of: [.sexuallyExplicit, .goreOrViolence]))
    }

    /// An app's own subclass, as every Objective-C class allows.
    final class RemoteAnalyzer: SCSensitivityAnalyzer, @unchecked Sendable {
        override var analysisPolicy: SCSensitivityAnalysisPolicy { .descriptiveInterventions }
    }

    @Test("Apps can pass analyzers and results between tasks, and subclass analyzers")
    func sendability() async throws {
        func requireSendable(_: some Sendable) {}
        let analyzer: SCSensitivityAnalyzer = RemoteAnalyzer()
        requireSendable(analyzer)
        requireSendable(SCSensitivityAnalysisPolicy.disabled)
        requireSendable(SCSensitivityAnalysis.ContentType.sexuallyExplicit)
        let policy = await Task.detached { analyzer.analysisPolicy }.value
        #expect(policy == .descriptiveInterventions)
        #expect(analyzer.isEqual(analyzer) && Set([analyzer, analyzer]).count == 1)
    }

    @Test("Apps can ask for the availability of a type before they use it")
    func availability() {
        if #available(iOS 27.0, macOS 27.0, *) {
            #expect(!SCSensitivityAnalysis.ContentType.goreOrViolence.rawValue.isEmpty)
        } else {
            Issue.record("Linux counts as newer than any of Apple's systems.")
        }
    }

    @Test("An app is told of the policy in force, first of the present policy")
    func changes() async {
        let analyzer = SCSensitivityAnalyzer()
        for await policy in analyzer.analysisPolicyChanges {
            #expect(policy == analyzer.analysisPolicy)
            break
        }
    }
}
#endif
