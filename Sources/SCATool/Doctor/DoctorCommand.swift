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

/// The texts about the sandbox around a helper process.
enum SandboxText {
    /// Returns the layers in force, in one line.
    static func summary(of report: SandboxReport) -> String {
        let layers = SandboxLayer.allCases.filter(report.layers.contains).map { layer in
            layer == .landlock ? "\(layer.name) (version \(report.landlockVersion))" : layer.name
        }
        return layers.isEmpty ? "no layer is in force" : layers.joined(separator: ", ")
    }

    /// Returns the missing layers, their consequence and their remedies.
    static func explanation(of report: SandboxReport) -> String {
        let missing = report.missingLayers.map { "\($0.name): \(remedy(for: $0))" }
        return "Media is decoded without some layers of the sandbox. " + missing.joined(separator: " ")
            + " In force: \(summary(of: report))."
    }

    private static func remedy(for layer: SandboxLayer) -> String {
        switch layer {
        case .namespaces:
            "the kernel gives this user no namespaces. Allow them (sysctl user.max_user_namespaces, on some systems"
                + " kernel.unprivileged_userns_clone or an AppArmor profile with userns), also in the container if this"
                + " is one."
        case .emptyFileSystem: "the kernel refuses to mount in a namespace of one's own, or there is none."
        case .landlock:
            "the kernel has no Landlock. Use Linux 5.13 or later with landlock among its security modules (lsm=)."
        case .systemCallFilter: "the kernel cannot filter system calls (CONFIG_SECCOMP_FILTER)."
        case .memoryLimit:
            "the decoder was built with a sanitizer, which needs all addresses, or cannot read /proc. Build it without"
                + " one, or mount /proc."
        case .noNewPrivileges, .resourceLimits: "left out by a test."
        }
    }
}
