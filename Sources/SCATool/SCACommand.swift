// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
internal import Foundation
internal import HelperProtocol

/// The command `sca`.
package struct SCACommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sca",
        abstract: "Check on this machine whether pictures are likely to show nudity.",
        discussion: """
            Nothing leaves the machine. A verdict is sensitive, not sensitive or unknown; a file that could not be \
            analysed is unknown, and never "not sensitive".

              sca analyze holiday.jpg            check a picture
              sca analyze --recursive Pictures   check a folder and all below it
              sca policy set on                  be warned of sensitive content in apps that can
              sca doctor                         see whether everything is in place
            """,
        version: PackageVersion.current,
        subcommands: [
            AnalyzeCommand.self, DoctorCommand.self, InterveneCommand.self, ModelCommand.self, PolicyCommand.self,
            TestPatternCommand.self,
        ])

    package init() {}

    /// Prepares the process; to be called first.
    package static func prepare() {
        InterruptSignal.watch()
    }

    /// Runs the command with the arguments of the process, and ends the process.
    package static func start() async -> Never {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            ProcessEnd.now(0)
        } catch {
            let code = exitCode(for: error).rawValue
            let message = fullMessage(for: error)
            if !message.isEmpty {
                if code == 0 { StandardOutput.write(line: message) } else { StandardError.write("\(message)\n") }
            }
            ProcessEnd.now(code)
        }
    }
}
