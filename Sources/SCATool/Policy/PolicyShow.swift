// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SensitivityPolicy

extension PolicyCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the policy in force, each source, and which one decides.")

        @Option(help: ArgumentHelp("Show it for this app, the path of its executable.", valueName: "path"))
        var app: String?

        func run() throws {
            var sources = PolicySources()
            if let app {
                let path = URL(fileURLWithPath: app).resolvingSymlinksInPath().path
                guard FileManager.default.fileExists(atPath: path) else {
                    throw CommandFailure("There is no executable at \(TerminalText.printable(app)).")
                }
                sources.app = AppIdentity(path: path)
            }
            let text = PolicyText(
                snapshot: PolicyMonitor(sources).snapshot(), isAboutApp: app != nil, userFile: sources.userFile)
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
