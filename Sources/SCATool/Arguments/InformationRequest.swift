// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// Arguments that ask for words about the command, and for nothing else.
enum InformationRequest {
    /// Whether arguments are help or the version and nothing besides: the only ones for which the command may end with
    /// success without having done anything.
    static func standsAlone(_ arguments: [String]) -> Bool {
        let first = arguments.first
        switch first {
        case "--version": return arguments.count == 1
        case "help": return path(arguments.dropFirst()).rest.isEmpty
        // A shell asks so for its completions.
        case "--generate-completion-script": return arguments.count <= 2
        default: return [["-h"], ["--help"]].contains(path(arguments[...]).rest)
        }
    }

    /// The commands that arguments begin with, for example "model" and "add", the arguments behind them, and whether these may
    /// be names.
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
