// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// An app as Apple's documentation would have it written ("Detecting nudity in media and providing intervention
// options"). Only the line that demands a policy, and the type of the error, are this project's own.

import Foundation
import SensitiveContentAnalysis

let analyzer = SCSensitivityAnalyzer()
print("before:", analyzer.analysisPolicy == .disabled ? "disabled" : "enabled")

SCSensitivityAnalyzer.defaultConfiguration.demandedPolicy = .simpleInterventions

// Check the current analysis policy.
let policy = analyzer.analysisPolicy
if policy == .disabled { exit(3) }

for path in CommandLine.arguments.dropFirst() {
    let url = URL(fileURLWithPath: path)
    do {
        // Analyze an image file at a particular URL.
        let response = try await analyzer.analyzeImage(at: url)
        print("\(url.lastPathComponent):", response.isSensitive ? "sensitive" : "notSensitive")
    } catch let error as SensitivityAnalysisError {
        print("\(url.lastPathComponent):", "unknown", error.code, error.message)
    }
}
