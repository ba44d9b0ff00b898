// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// An input of the command: an argument of the person, a name from a list, or an entry of a searched folder.
struct FoundInput: Sendable {
    /// The path as the person would write it; "-" for standard input.
    let path: InputPath
    let kind: Kind

    enum Kind: Sendable, Equatable {
        case standardInput
        /// A path that was named; a failure of its analysis is reported.
        case named
        /// A file in a folder; a file without media is skipped.
        case inFolder
        /// An address on a network.
        case remote
        /// A folder that could not be listed.
        case unreadableFolder
        /// A folder that links have led to before, by another path, in which patterns for paths left something out.
        case ambiguousFolder
        /// An entry of a folder whose kind cannot be read, with the errno value.
        case unreachable(Int32)
        /// An entry of a folder that is not judged.
        case skipped(SkipReason)
        /// The list of names cannot be read on, with the errno value.
        case unreadableList(Int32)
    }

    /// The name of the input in messages and tables.
    var name: String { kind == .standardInput ? "(standard input)" : path.text }
}
