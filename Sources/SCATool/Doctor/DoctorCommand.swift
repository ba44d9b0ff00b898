// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import Foundation
internal import HelperHost
internal import ModelStore
internal import SensitivityPolicy

package struct DoctorCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is installed, what is missing, and how to mend it.",
        discussion: "Exit codes: 0 everything works, 1 something is missing or broken.")

    @Option(
        help: ArgumentHelp(
            "Look for programs and models as this app would, and for its entitlement; the path of its executable.",
            valueName: "path"), completion: .file())
    var app: String?

    package init() {}

    package func run() async throws {
        let snapshot = try await PolicySources.snapshot(ofApp: app)
        let authority = AnalysisAuthority(
            snapshot, demand: .simple, appFolder: app == nil ? nil : snapshot.app.folder)
        let style = TerminalText.showsStyles
        var failed: [String] = []
        for check in DoctorChecks(authority: authority, snapshot: snapshot, isAboutApp: app != nil).all {
            guard !check.needs.contains(where: failed.contains) else {
                let word = TerminalText.styled("-      ", .dim, if: style)
                StandardOutput.write(line: "\(word) \(check.name): not checked, since an earlier check has failed")
                continue
            }
            do {
                StandardOutput.write(
                    line: "\(TerminalText.styled("ok     ", .dim, if: style)) \(check.name): \(try await check.run())")
            } catch {
                failed.append(check.name)
                let message = (error as? AnalysisFailure).map { authority.explained($0).message } ?? "\(error)"
                StandardOutput.write(
                    line: "\(TerminalText.styled("MISSING", .bold, .red, if: style)) \(check.name): \(message)")
            }
        }
        let words =
            failed.count == 1
            ? "One check failed; what to do stands beside it."
            : "\(failed.count) checks failed; what to do stands beside them."
        StandardOutput.write(line: failed.isEmpty ? "\nEverything is in place." : "\n\(words)")
        if !failed.isEmpty { throw ExitCode(1) }
    }
}
