// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import SensitivityPolicy

/// The policy of the machine for this account, which must not influence the results of tests.
package enum MachinePolicy {
    /// Replaces the machine's policy in this process by a policy without any setting.
    ///
    /// Suites that use the real analyzer call this function in their initialisers, before the first use.
    package static func ignore() throws {
        guard isIgnored else { throw TooLate() }
    }

    /// The error if an analyzer was used before: a suite that uses it does not call `ignore`.
    private struct TooLate: Error {}

    private static let isIgnored: Bool = {
        var sources = PolicySources()
        // No account can create a file in /proc.
        sources.administratorFile = ("/proc", ["sca-no-such-file"])
        sources.entitlementFolder = TestFiles.missing
        sources.userFile = nil
        sources.accountsServiceMarkers = []
        sources.isInUserNamespace = false
        return PolicyMonitor.setSharedSources(sources)
    }()

    /// The state of Communication Safety on this machine, as the command `sca` sees it.
    fileprivate static let communicationSafety = Task {
        let monitor = PolicyMonitor(PolicySources())
        var snapshot = await monitor.settledSnapshot()
        // On a busy machine, the answer may take longer than an app would wait.
        for _ in 0..<5 where snapshot.communicationSafety == .unknown { snapshot = await monitor.settledSnapshot() }
        return snapshot.communicationSafety
    }
}

extension Requirements {
    package static let childAccountReason =
        "This account is or may be under Communication Safety, which no test of the command sca can take away."

    /// Whether the command `sca` does its full work for this account.
    ///
    /// Under Communication Safety, the command must obey the machine's policy only. A variable or a file that tests
    /// could use to change this would work for children too.
    package static var isNoChildAccount: Bool {
        get async { await MachinePolicy.communicationSafety.value == .off }
    }
}
