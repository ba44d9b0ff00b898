// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
package import HelperHost
package import SensitivityPolicy

/// What holds for one analysis: the policy in force, and whose programs, libraries and models may take part.
///
/// The one place where the trust boundary of Communication Safety is drawn: for an account under it, nothing that the
/// account can write takes part in the decision, and what is missing then makes the analysis unknown.
package struct AnalysisAuthority: Sendable {
    package let policy: AnalysisPolicy
    /// Whether the account is under Communication Safety, or that is unknown.
    package let isProtected: Bool
    /// Whether the test pattern counts as sensitive content.
    package let findsTestPatterns: Bool
    /// Why an app that its user wants to be warned in may not ask; nil for all others.
    package let missingEntitlement: String?

    package init(_ snapshot: PolicySnapshot, demand: AnalysisPolicy) {
        policy = snapshot.policy(demand: demand)
        isProtected = snapshot.communicationSafety.isInForce
        // The environment is the account's word as well.
        findsTestPatterns = !isProtected && (snapshot.isTestMode || Self.isTestModeSet)
        if case .missing(let reason) = snapshot.entitlement, policy == .disabled, snapshot.contentWarning.isInForce {
            missingEntitlement = reason
        } else {
            missingEntitlement = nil
        }
    }

    /// What holds now for an app that demands this policy of itself; waits until the sources of the policy have
    /// answered, two seconds at most.
    package static func current(demand: AnalysisPolicy) async -> AnalysisAuthority {
        AnalysisAuthority(await PolicyMonitor.shared.settledSnapshot(), demand: demand)
    }

    /// The request for an analysis on the terms of this authority.
    package func request(
        limits: AnalysisLimits = AnalysisLimits(), options: MediaOptions = MediaOptions(),
        expecting expected: ExpectedMedia = .any
    ) -> AnalysisRequest {
        AnalysisRequest(
            policy: policy, limits: limits, findsTestPatterns: findsTestPatterns, options: options,
            expecting: expected)
    }

    /// The folders in which programs, libraries and models are looked for.
    package var paths: InstallationPaths { isProtected ? .ofAdministrator : .ofThisProcess() }

    /// The engine that analyses.
    package func engine(modelName: String?, decoders: HelperSettings) -> AnalysisEngine {
        SharedEngines.engine(
            for: EngineConfiguration(
                paths: paths, isExclusive: isProtected, modelName: modelName, decoders: decoders))
    }

    /// A failure in the words that help under this authority.
    package func explained(_ failure: AnalysisFailure) -> AnalysisFailure {
        guard isProtected, [.decoderUnavailable, .modelUnavailable].contains(failure.code) else { return failure }
        var failure = failure
        failure.message +=
            " Under Communication Safety only what an administrator has installed counts, and what nobody else can"
            + " change: an administrator runs `sudo make install`, and the app is started anew."
        return failure
    }

    /// Whether `SCA_TEST_MODE=1` was in the environment when the process first asked.
    private static let isTestModeSet = ProcessInfo.processInfo.environment["SCA_TEST_MODE"] == "1"
}
