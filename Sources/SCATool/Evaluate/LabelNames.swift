// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The words of a set's labels, and what they stand for.
struct LabelNames: Sendable {
    private var kinds: [String: Kind]

    enum Kind: Sendable {
        case sensitive
        case harmless
        case ignored
    }

    /// - Throws: `CommandFailure` with 64 for a label that is named twice.
    init(sensitive: [String], harmless: [String], ignored: [String]) throws(CommandFailure) {
        kinds = [:]
        for (names, kind) in [(sensitive, Kind.sensitive), (harmless, .harmless), (ignored, .ignored)] {
            for name in names {
                guard kinds.updateValue(kind, forKey: name) == nil else {
                    throw .usage("The label \(TerminalText.printable(name)) is named twice.")
                }
            }
        }
        // A label that is named means the same as without the option, or something else if the person says so.
        for (name, kind) in Self.usual where kinds[name] == nil { kinds[name] = kind }
    }

    func kind(of label: String) -> Kind? { kinds[label] }

    /// Returns the failure for labels of a set that mean nothing.
    static func failure(_ labels: Set<String>) -> CommandFailure {
        let words = labels.sorted().prefix(5).map { TerminalText.printable($0) }.joined(separator: ", ")
        let more = labels.count > 5 ? " and \(labels.count - 5) more" : ""
        return .usage(
            "These labels mean nothing yet: \(words)\(more). Say what they stand for: --sensitive LABEL, --harmless LABEL or"
                + " --ignore LABEL, each as often as needed.")
    }

    private static let usual: [String: Kind] = [
        "sensitive": .sensitive, "harmless": .harmless, "not-sensitive": .harmless, "notSensitive": .harmless,
    ]
}
