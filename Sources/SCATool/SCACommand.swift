// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
internal import Foundation
internal import Glibc
internal import HelperProtocol

/// The command `sca`.
package struct SCACommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sca",
        abstract: "Check on this machine whether pictures and videos are likely to show nudity.",
        discussion: """
            Nothing leaves the machine. A verdict is sensitive, not sensitive or unknown; a file that could not be \
            analysed is unknown, and never "not sensitive".

              sca analyze -- holiday.jpg            check a picture
              sca analyze --recursive -- Pictures   check a folder and all below it
              sca copy -- holiday.jpg copy.png      write a copy that shows what was judged
              sca evaluate -- Set                   measure a model on labelled files
              sca policy set on                     be warned in the apps that can
              sca doctor                            see whether everything is in place
              sca --version                         print the version

            'sca help TOPIC' explains \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).

            Put -- before names, since they may begin with a dash. Help and the version are printed only where \
            nothing else is named.
            """,
        subcommands: [
            AnalyzeCommand.self, CacheCommand.self, CopyCommand.self, DoctorCommand.self, EvaluateCommand.self,
            InterveneCommand.self, ModelCommand.self, PolicyCommand.self, TestPatternCommand.self, WatchCommand.self,
        ])

    package init() {}

    /// Prepares the standard descriptors and the signals of the process; call it before anything else.
    ///
    /// Ends the process where /proc is not mounted.
    package static func prepare() {
        StandardStreams.occupyClosed()
        // Swift reads the arguments from /proc, and so do the helpers. Dispatch reads the states of its threads there,
        // and stops the process at its first thread if it cannot.
        guard CommandLine.argc > 0 else {
            CommandFailure(
                "The arguments cannot be read, because /proc is not mounted here. Mount it: mount -t proc proc /proc",
                exitCode: CommandFailure.unavailableCode
            ).end()
        }
        BrokenPipe.watch()
        SignalAction.restoreQuit()
        InterruptSignal.watch()
    }

    /// Runs the command with the arguments of the process, and ends the process.
    package static func start() async -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try ArgumentCheck.requireText()
            try ArgumentCheck.requireNoFileNamedLikeOption(arguments)
            try ArgumentCheck.requireKnownCommand(arguments)
            // The parser would accept --version among other arguments too.
            if arguments == ["--version"] { throw CleanExit.message(PackageVersion.current) }
            if let topic = HelpTopic.requested(by: arguments) {
                throw CleanExit.message(topic.text(columns: TerminalText.columns(of: STDOUT_FILENO, atMost: 100) - 2))
            }
            EarlyStart.begin(arguments)
            var command = try parseAsRoot(arguments)
            // The test pattern may go to a file; every other command writes to standard output.
            if !(command is TestPatternCommand) { StandardOutput.requireOpen() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            ProcessEnd.now(0)
        } catch let exit as ExitCode {
            ProcessEnd.now(exit.rawValue)
        } catch let failure as CommandFailure {
            failure.end()
        } catch {
            end(with: error, arguments)
        }
    }

    /// Prints the fault of the arguments, or the text that they request.
    private static func end(with error: any Error, _ arguments: [String]) -> Never {
        let code = exitCode(for: error).rawValue
        let message = fullMessage(for: error)
        guard code == 0 else {
            if ArgumentCheck.asksForVersion(arguments) { ArgumentCheck.failure(arguments, help: message).end() }
            let hint = ArgumentCheck.hint(for: arguments).map { "\($0)\n" } ?? ""
            StandardError.write("\(message)\n\(hint)")
            ProcessEnd.now(code)
        }
        // Otherwise a file named --help would end the command with success, without judging the other files.
        guard InformationRequest.standsAlone(arguments) else {
            ArgumentCheck.failure(arguments, help: message).end()
        }
        let isScript = CompletionScript.isRequested(by: arguments)
        StandardOutput.write(line: isScript ? CompletionScript.completingHelp(in: message) : message)
        ProcessEnd.now(0)
    }
}
