// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The script with which a shell completes the command.
enum CompletionScript {
    /// Returns a script of the argument parser in which `sca help` is completed too, with commands and topics.
    ///
    /// The parser's own command `help` takes any words, so its scripts offer none.
    static func completingHelp(in script: String) -> String {
        // A key path through the type of a command crashes the compiler (Swift 6.3.1).
        let commands = SCACommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        let words = (commands + HelpTopic.allCases.map(\.rawValue)).joined(separator: " ")
        if script.contains("complete -c 'sca'") {
            let condition = #"__sca_should_offer_completions_for_positional "sca help" -eq 1"#
            return "\(script)\ncomplete -c 'sca' -n '\(condition)' -fka '\(words)'"
        }
        return
            script
            .replacing("_sca_help() {\n    :\n}", with: "_sca_help() {\n    \(bashReply(words))\n}")
            .replacing("'*:subcommands:'", with: "'1:subject:(\(words))'")
    }

    private static func bashReply(_ words: String) -> String {
        #"[ "${COMP_WORDS[COMP_CWORD - 1]}" != help ] || COMPREPLY=($(compgen -W '"# + words + #"' -- "${cur}"))"#
    }

    /// Whether the arguments request a script.
    static func isRequested(by arguments: [String]) -> Bool { arguments.first == "--generate-completion-script" }
}
