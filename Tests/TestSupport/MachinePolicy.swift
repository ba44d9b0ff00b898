// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import SensitivityPolicy

/// The policy that the machine has for this account, which must not decide on the result of a test.
package enum MachinePolicy {
    /// Takes the machine's policy away from this process: nobody has set anything, whatever parents and users have set.
    ///
    /// Suites that ask the real analyzer call this in their initialisers, before the first question.
    package static func ignore() throws {
        guard isIgnored else { throw TooLate() }
    }

    /// An analyzer was asked before: a suite that asks it does not call `ignore`.
    private struct TooLate: Error {}

    private static let isIgnored: Bool = {
        var sources = PolicySources()
        // Nobody can make a file in /proc.
        sources.administratorFile = ("/proc", ["sca-no-such-file"])
        sources.entitlementFolder = TestFiles.missing
        sources.userFile = nil
        sources.accountsServiceMarkers = []
        sources.isInUserNamespace = false
        return PolicyMonitor.setSharedSources(sources)
    }()

    /// What the machine has set, as the command `sca` sees it.
    fileprivate static let communicationSafety = Task {
        let monitor = PolicyMonitor(PolicySources())
        var snapshot = await monitor.settledSnapshot()
        // A busy machine can take longer than an app would wait.
        for _ in 0..<5 where snapshot.communicationSafety == .unknown { snapshot = await monitor.settledSnapshot() }
        return snapshot.communicationSafety
    }
}

extension Requirements {
    package static let childAccountReason =
        "This account is or may be under Communication Safety, which no test of the command sca can take away."

    /// Whether the command `sca` does its full work for this account.
    ///
    /// Under Communication Safety it must obey the machine and nothing else. A variable or file that made it ignore the
    /// machine for a test would do so for a child, too.
    package static var isNoChildAccount: Bool {
        get async { await MachinePolicy.communicationSafety.value == .off }
    }
}
