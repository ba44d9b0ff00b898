// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc

/// Tells names that begin with a dash from options.
///
/// A shell puts such names in the place of *, and whoever made the files has chosen them. A name that is taken for an
/// option is not judged, and may change how all others are.
enum ArgumentCheck {
    /// - Throws: `CommandFailure` where an argument is both an option and the name of a file, and no -- says which.
    static func requireNoFileNamedLikeOption(_ arguments: [String]) throws(CommandFailure) {
        let terminators = arguments.count { $0 == "--" }
        // Behind the first, the second is a name.
        guard terminators < 2 else { return }
        guard terminators == 0 || !isFile("--") else {
            throw .usage(
                "There is a file named -- here, so it is not clear what this -- means. Leave -- out, and write ./ before each name: ./--"
            )
        }
        guard terminators == 0 else { return }
        for argument in arguments where argument.hasPrefix("-") && argument != "-" && isFile(argument) {
            throw .usage(
                "There is a file named \(TerminalText.printable(argument)) here, and this argument may mean it or an"
                    + " option. \(remedy(arguments, argument) ?? "Run the command in another folder.")")
        }
    }

    /// Whether there is anything of a name, a link that leads nowhere included.
    static func isFile(_ name: String) -> Bool {
        var status = stat()
        return unsafe lstat(name, &status) == 0
    }

    /// The failure of arguments that ask for help or the version among others, or for nothing at all.
    ///
    /// - Parameter help: the words that they would get.
    static func failure(_ arguments: [String], help: String) -> CommandFailure {
        let (commands, rest, _) = InformationRequest.path(arguments[...])
        if rest.isEmpty { return .usage("No command is named.\n\n\(help)") }
        if arguments.first == "help" {
            return .usage("There is no such command to explain. See 'sca --help' for all of them.")
        }
        let about = (["sca"] + commands).joined(separator: " ")
        let remedy = hint(for: arguments).map { "\n" + $0 } ?? ""
        return .usage(
            "--help and --version have to stand alone, so nothing was done. For help: \(about) --help\(remedy)")
    }

    /// Whether arguments ask for the version among others; the parser calls that an unknown option.
    static func asksForVersion(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--version")
    }

    /// The remedy where an argument that is no option looks like a name.
    static func hint(for arguments: [String]) -> String? {
        suspect(arguments).flatMap { remedy(arguments, $0) }
    }

    /// An argument that is more likely to be a name than an option.
    private static func suspect(_ arguments: [String]) -> String? {
        arguments.prefix { $0 != "--" }.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }
    }

    /// How to write a name so that it is taken for one; nil where the command takes no names.
    private static func remedy(_ arguments: [String], _ name: String) -> String? {
        let (commands, _, takesNames) = InformationRequest.path(arguments[...])
        let shown = TerminalText.printable(name)
        var lines: [String] = []
        if takesNames || commands.isEmpty {
            let command = (["sca"] + (commands.isEmpty ? ["analyze"] : commands)).joined(separator: " ")
            lines.append("Put -- before names: \(command) -- \(shown)")
        }
        if arguments.prefix(while: { $0 != name }).last?.hasPrefix("-") ?? false {
            lines.append("Where it is the value of an option: ./\(shown)")
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}

/// A command whose arguments are names, such as those of files: they may begin with a dash behind `--`.
protocol CommandWithNames {}

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
