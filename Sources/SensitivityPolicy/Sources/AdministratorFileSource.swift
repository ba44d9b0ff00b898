// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The administrator's file as a policy source.
final class AdministratorFileSource: PolicySource {
    private let sources: PolicySources
    private let answer = Mutex<Answer?>(nil)

    private struct Answer {
        var accountName: String?
        var file: SettingsFile<AdministratorSettings>
    }

    init(_ sources: PolicySources) {
        self.sources = sources
    }

    func isUsed(in snapshot: PolicySnapshot) -> Bool { true }
    func examineMachine() {}

    func follow(_ onAnswer: () -> Void) {
        let accountName = sources.accountName()
        let file = ParsedFile<AdministratorSettings>()
        let watch = FileWatch([sources.administratorPath])
        while true {
            watch.renew()
            let settings = file.parsed(sources.administratorText, AdministratorSettings.init(ofThisMachine:))
            answer.withLock { $0 = Answer(accountName: accountName, file: settings) }
            onAnswer()
            // The pause is longer than for other files: an editor may empty the file first and so weaken the policy.
            watch.wait(settlingTime: 150_000)
        }
    }

    func write(to snapshot: inout PolicySnapshot) {
        guard let answer = answer.withLock({ $0 }) else { return }
        snapshot.accountName = answer.accountName
        snapshot.administratorFile = answer.file
    }
}
