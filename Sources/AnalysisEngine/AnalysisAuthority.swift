// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
package import HelperHost
internal import ModelStore
package import SensitivityPolicy

/// The terms of one analysis: the policy in force, and the trusted origin of programs, libraries and models.
///
/// Only this type draws the trust boundary of Communication Safety: files that a protected account can write take no
/// part in the decision. A missing program, library or model then makes the verdict unknown.
package struct AnalysisAuthority: Sendable {
    package let policy: AnalysisPolicy
    /// Whether the account is under Communication Safety, or its state is unknown.
    package let isProtected: Bool
    /// Whether the test pattern counts as sensitive content.
    package let findsTestPatterns: Bool
    /// The reason why an app may not analyse although its user wants warnings; nil for all other apps.
    package let missingEntitlement: String?
    /// The threshold that the person or the app asks for; nil for those of the model's manifest.
    package let threshold: ThresholdDemand?
    /// The folder of another app whose programs, libraries and models are looked for; nil for this process.
    private let appFolder: String?

    /// - Parameters:
    ///   - snapshot: the sources of the policy.
    ///   - demand: the policy that the app demands.
    ///   - threshold: the threshold that the app or the person asks for.
    ///   - isPersonsThreshold: whether the person at the keyboard asks for it, whose own setting it may loosen.
    ///   - appFolder: the folder of another app that is asked about; nil for this process.
    package init(
        _ snapshot: PolicySnapshot, demand: AnalysisPolicy, threshold: Float? = nil, isPersonsThreshold: Bool = false,
        appFolder: String? = nil
    ) {
        self.appFolder = appFolder
        policy = snapshot.policy(demand: demand)
        isProtected = snapshot.communicationSafety.isInForce
        // An app can be stricter than the person's setting, and nobody can be laxer than a parent's.
        let canOnlyTighten = isProtected || !isPersonsThreshold && snapshot.contentWarning.isInForce
        self.threshold = threshold.map { ThresholdDemand(value: $0, canOnlyTighten: canOnlyTighten) }
        // The account controls its environment, so the environment must not change a protected account's verdict.
        findsTestPatterns = !isProtected && (snapshot.isTestMode || Self.isTestModeSet)
        if case .missing(let reason) = snapshot.entitlement, policy == .disabled, snapshot.contentWarning.isInForce {
            missingEntitlement = reason
        } else {
            missingEntitlement = nil
        }
    }

    /// Returns the authority for an app that demands a policy, after at most two seconds of waiting for the policy.
    package static func current(
        demand: AnalysisPolicy, threshold: Float? = nil, isPersonsThreshold: Bool = false
    ) async -> AnalysisAuthority {
        AnalysisAuthority(
            await PolicyMonitor.shared.settledSnapshot(), demand: demand, threshold: threshold,
            isPersonsThreshold: isPersonsThreshold)
    }

    /// Makes the request for an analysis under this authority.
    package func request(
        limits: AnalysisLimits = AnalysisLimits(), options: MediaOptions = MediaOptions()
    ) -> AnalysisRequest {
        AnalysisRequest(
            policy: policy, limits: limits, findsTestPatterns: findsTestPatterns, options: options, threshold: threshold
        )
    }

    /// The folders that are searched for programs, libraries and models.
    package var paths: InstallationPaths {
        guard let appFolder else { return isProtected ? .ofAdministrator : .ofThisProcess() }
        return isProtected ? .ofAdministrator(executableFolder: appFolder) : .ofProgram(in: appFolder)
    }

    /// Returns the shared engine for analyses under this authority.
    ///
    /// - Parameter concurrency: the number of cores to use; nil for all, up to a limit.
    package func engine(
        modelName: String?, decoders: HelperSettings, concurrency: Int? = nil
    ) -> MediaEngine {
        SharedEngines.engine(
            for: EngineConfiguration(
                paths: paths, isExclusive: isProtected, modelName: modelName, decoders: decoders,
                concurrency: concurrency))
    }

    /// Checks that the model, the inference library and the model's program are installed, without loading them.
    ///
    /// - Throws: `modelUnavailable` or `decoderUnavailable`.
    package func checkParts(modelName: String?) throws(AnalysisFailure) {
        let paths = paths
        _ = try InstalledModels(folders: paths.models).model(named: modelName ?? InstalledModels.defaultModelName)
        _ = try InferenceLibrary(folders: paths.inferenceLibraries)
        _ = try HelperLocator(name: HelperKind.modelRunner.executableName, folders: paths.helpers).path()
    }

    /// Returns a failure with the remedy that applies under this authority.
    package func explained(_ failure: AnalysisFailure) -> AnalysisFailure {
        guard isProtected, [.decoderUnavailable, .modelUnavailable].contains(failure.code) else { return failure }
        var failure = failure
        failure.message +=
            " Under Communication Safety only what an administrator has installed counts, and what nobody else can"
            + " change: an administrator runs `sudo make install`, and the app is started anew."
        return failure
    }

    /// Whether `SCA_TEST_MODE=1` was in the environment at the first use of this value.
    private static let isTestModeSet = ProcessInfo.processInfo.environment["SCA_TEST_MODE"] == "1"
}
