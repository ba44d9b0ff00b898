// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
internal import Foundation
internal import SensitivityPolicy

package struct PolicyCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Show and set who is warned of sensitive content.",
        discussion: """
            Communication Safety is a parent's choice for a child's account: everything sensitive is explained, before \
            it is viewed and before it is sent. Sensitive Content Warning is a person's own choice. The stricter holds.
            """,
        subcommands: [Show.self, Set.self, AllowApp.self, DenyApp.self, ForgetApp.self, Watch.self, Child.self],
        defaultSubcommand: Show.self)

    package init() {}
}

extension PolicyCommand {
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the policy in force, each source, and which one decides.")

        @Option(
            help: ArgumentHelp("Show it for this app, the path of its executable.", valueName: "path"),
            completion: .file())
        var app: String?

        func run() async throws {
            let text = PolicyText(
                snapshot: try await PolicySources.snapshot(ofApp: app), isAboutApp: app != nil,
                userFile: PolicySources().userFile)
            for line in text.lines { StandardOutput.write(line: line) }
        }
    }

    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the policy, and again each time it changes, until interrupted.")

        func run() async throws {
            InterruptSignal.handle { ProcessEnd.now(130) }
            let monitor = PolicyMonitor.shared
            var last: String?
            func show(_ snapshot: PolicySnapshot) {
                let text = PolicyText(snapshot: snapshot, isAboutApp: false, userFile: nil)
                let name = PolicyText.name(of: text.policy)
                if name != last { StandardOutput.write(line: "\(Date().formatted(.iso8601)) \(name)") }
                last = name
            }
            let changes = monitor.changes()
            show(await monitor.settledSnapshot())
            for await snapshot in changes { show(snapshot) }
        }
    }
}

extension PolicySources {
    /// Returns the current snapshot of the account, and of the app at a path if a path is given.
    ///
    /// - Throws: `CommandFailure` if there is no such app.
    static func snapshot(ofApp path: String?) async throws -> PolicySnapshot {
        var sources = PolicySources()
        if let path {
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard FileManager.default.fileExists(atPath: resolved) else {
                throw CommandFailure("There is no executable at \(TerminalText.printable(path)).")
            }
            sources.app = AppIdentity(path: resolved)
        }
        return await PolicyMonitor(sources).settledSnapshot()
    }
}
