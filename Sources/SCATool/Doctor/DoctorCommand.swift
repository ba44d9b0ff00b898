// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import Foundation
internal import HelperHost
internal import HelperProtocol
internal import ModelStore
internal import SensitivityPolicy

package struct DoctorCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is installed, what is missing, and how to mend it.",
        discussion: "Exit codes: 0 everything works, 1 something is missing or broken.")

    @Option(
        help: ArgumentHelp("Also look for the entitlement of this app, the path of its executable.", valueName: "path"))
    var app: String?

    package init() {}

    package func run() async throws {
        var failed = 0
        let snapshot = try await PolicySources.snapshot(ofApp: app)
        let authority = AnalysisAuthority(snapshot, demand: .simple)
        for check in DoctorChecks(authority: authority, snapshot: snapshot, isAboutApp: app != nil).all {
            let style = TerminalText.showsStyles
            do {
                StandardOutput.write(
                    line: "\(TerminalText.styled("ok     ", .dim, if: style)) \(check.name): \(try await check.run())")
            } catch {
                failed += 1
                let message = (error as? AnalysisFailure).map { authority.explained($0).message } ?? "\(error)"
                StandardOutput.write(
                    line: "\(TerminalText.styled("MISSING", .bold, .red, if: style)) \(check.name): \(message)")
            }
        }
        StandardOutput.write(
            line: failed == 0
                ? "\nEverything is in place." : "\n\(failed) of the checks failed; what to do stands beside them.")
        if failed > 0 { throw ExitCode(1) }
    }
}
