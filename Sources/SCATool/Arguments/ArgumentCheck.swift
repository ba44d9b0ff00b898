// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc

/// Distinguishes names that begin with a dash from options.
///
/// A shell replaces * by such names, and the author of the files has chosen them. A name that is taken for an option is
/// not judged, and may change the judgement of all other files.
enum ArgumentCheck {
    /// Refuses arguments that may be an option or the name of a file.
    ///
    /// - Throws: `CommandFailure` if an argument is both an option and a file's name, without a -- to distinguish them.
    static func requireNoFileNamedLikeOption(_ arguments: [String]) throws(CommandFailure) {
        let terminators = arguments.count { $0 == "--" }
        // After the first --, a second -- is a name.
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

    /// Refuses an argument before `--` that is not UTF-8 text, because another file could be named by its repaired text.
    static func requireText(_ arguments: [InputPath] = InputPath.processArguments) throws(CommandFailure) {
        let before = arguments.prefix { $0.bytes != Array("--".utf8) }
        guard let argument = before.first(where: { !$0.isText }) else { return }
        throw .usage(
            "The argument \(TerminalText.printable(argument.text)) is not UTF-8 text. Put -- before the names of files;"
                + " options have no such values.")
    }

    /// Refuses a word in the place of a command that is none, with the command that was probably meant.
    static func requireKnownCommand(_ arguments: [String]) throws(CommandFailure) {
        let (commands, rest, _) = InformationRequest.path(arguments[...])
        let known = InformationRequest.names(below: commands)
        guard let word = rest.first, !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
        let shown = TerminalText.printable(word)
        let command = (["sca"] + commands).joined(separator: " ")
        var remedy = "'\(command) --help' shows all of them."
        if commands.isEmpty, word.lowercased() == "version" {
            remedy = "The version is shown by 'sca --version'."
        } else if let meant = closest(to: word, among: known) {
            remedy = "Did you mean '\(command) \(meant)'? \(remedy)"
        } else if commands.isEmpty, isFile(word) {
            remedy = "To judge a file: sca analyze -- \(shown)"
        }
        throw .usage("There is no command '\(command) \(shown)'. \(remedy)")
    }

    /// Returns the known word that was probably meant; nil if none is like the word.
    private static func closest(to word: String, among known: [String]) -> String? {
        known.min { distance($0, word) < distance($1, word) }.flatMap { distance($0, word) <= 2 ? $0 : nil }
    }

    /// Returns the number of letters to add, remove, change or swap with their neighbour to make one word of another.
    ///
    /// Source: the optimal string alignment distance, https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance
    private static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.prefix(64)), Array(other.prefix(64)))
        var rows = [Array(0...other.count)]
        for (line, letter) in one.enumerated() {
            var row = [line + 1]
            for (column, otherLetter) in other.enumerated() {
                var least = min(row[column] + 1, rows[line][column + 1] + 1)
                least = min(least, rows[line][column] + (letter == otherLetter ? 0 : 1))
                if line > 0, column > 0, letter == other[column - 1], one[line - 1] == otherLetter {
                    least = min(least, rows[line - 1][column - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }

    /// Refuses `-` for standard input where a file has this name.
    static func checkStandardInput(among inputs: [String]) throws {
        guard inputs.contains("-"), isFile("-") else { return }
        throw ValidationError(
            "There is a file named - here, and - means standard input. Name the file ./-, or read standard input in"
                + " another folder.")
    }

    /// Refuses a threshold that every score or no score reaches.
    static func checkThreshold(_ threshold: Float?) throws {
        guard let threshold, !(threshold > 0 && threshold <= 1) else { return }
        throw ValidationError("--threshold is \(threshold); use a number above 0 and up to 1.")
    }

    /// Whether a file of a name exists, including a link that leads nowhere.
    static func isFile(_ name: String) -> Bool {
        var status = stat()
        return unsafe lstat(name, &status) == 0
    }

    /// Returns the failure of arguments that name no command, or request help or the version beside other arguments.
    ///
    /// - Parameter help: the help text for these arguments.
    static func failure(_ arguments: [String], help: String) -> CommandFailure {
        let (commands, rest, _) = InformationRequest.path(arguments[...])
        if rest.isEmpty { return .usage("No command is named.\n\n\(help)") }
        if arguments.first == "help" {
            let topics = HelpTopic.allCases.map(\.rawValue)
            let word = arguments.dropFirst().joined(separator: " ")
            let meant = closest(to: word, among: topics + InformationRequest.names(below: []))
            let remedy = meant.map { "Did you mean 'sca help \($0)'? " } ?? ""
            return .usage(
                "There is no command or topic '\(TerminalText.printable(word))' to explain. \(remedy)'sca --help' shows the"
                    + " commands; topics are \(topics.joined(separator: ", ")).")
        }
        let about = (["sca"] + commands).joined(separator: " ")
        let remedy = hint(for: arguments).map { "\n" + $0 } ?? ""
        return .usage(
            "--help and --version have to stand alone, so nothing was done. For help: \(about) --help\(remedy)")
    }

    /// Whether arguments request the version beside others, for which the parser reports an unknown option.
    static func asksForVersion(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--version")
    }

    /// Returns the remedy if an argument is more likely to be a name than an option, or an option stands before its
    /// command; otherwise nil.
    static func hint(for arguments: [String]) -> String? {
        // A person who has put -- before names means what stands before it as options.
        guard !arguments.contains("--") else { return nil }
        if let suspect = suspect(arguments) { return remedy(arguments, suspect) }
        guard let option = arguments.first, option.hasPrefix("-"),
            !["-", "--", "-h", "--help", "--version"].contains(option)
        else { return nil }
        if option.lowercased() == "-v" { return "The version: sca --version" }
        return "Options come after a command: sca analyze \(TerminalText.printable(option))"
    }

    /// Returns the first argument with one dash and more than one letter, which is more likely a name than an option.
    private static func suspect(_ arguments: [String]) -> String? {
        arguments.prefix { $0 != "--" }.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }
    }

    /// Returns the ways to write a name that the command does not take for an option; nil if there is none.
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
