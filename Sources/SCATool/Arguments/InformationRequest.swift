// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// Recognises arguments that request information about the command, and nothing else.
enum InformationRequest {
    /// Whether arguments request only help or the version, so the command may end with success without other work.
    static func standsAlone(_ arguments: [String]) -> Bool {
        let first = arguments.first
        switch first {
        case "--version": return arguments.count == 1
        case "help": return HelpTopic.requested(by: arguments) != nil || path(arguments.dropFirst()).rest.isEmpty
        // Shells request their completions with these arguments.
        case "--generate-completion-script": return arguments.count <= 2
        case "---completion": return true
        // scripts/build-manual makes manual pages of its output.
        case "--experimental-dump-help": return arguments.count == 1
        default: return [["-h"], ["--help"]].contains(path(arguments[...]).rest)
        }
    }

    /// Returns the names of the commands below a command, none for a command without commands of its own.
    static func names(below commands: [String]) -> [String] {
        var command: any ParsableCommand.Type = SCACommand.self
        for name in commands {
            command = command.configuration.subcommands.first { $0._commandName == name } ?? command
        }
        // A key path to the name makes the compiler of Swift 6.3.1 crash.
        return command.configuration.subcommands.map { $0._commandName }
    }

    /// Splits arguments into the commands at their start, for example "model" and "add", and the rest, which may be
    /// names if `takesNames` is true.
    static func path(
        _ arguments: ArraySlice<String>
    ) -> (commands: [String], rest: [String], takesNames: Bool) {
        var (commands, rest) = ([String](), arguments)
        var command: any ParsableCommand.Type = SCACommand.self
        while let name = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == name })
        {
            command = next
            commands.append(name)
            rest = rest.dropFirst()
        }
        return (commands, Array(rest), command is any CommandWithNames.Type)
    }
}
