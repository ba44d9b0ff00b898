// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Glibc

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

    /// The name for a file that is about this input.
    var nameForFile: InputPath { kind == .standardInput ? InputPath("standard input") : path.name }

    /// - Throws: the failure of an input that is no file.
    func requireFile() throws(AnalysisFailure) {
        switch kind {
        case .named, .inFolder, .standardInput, .skipped: break
        case .unreachable(let number):
            let remedy =
                number == EACCES
                ? "Change the permissions of its folder, or run as its owner." : "Check the path and the disk."
            throw AnalysisFailure(
                .inputUnreadable, "Not even its kind could be found out (error \(number)). \(remedy)")
        case .unreadableFolder:
            throw AnalysisFailure(
                .inputUnreadable, "The folder could not be listed. Change its permissions, or run as its owner.")
        case .ambiguousFolder:
            throw AnalysisFailure(
                .inputUnreadable,
                "Two links lead to this folder, and a pattern with / leaves out files by the path of one of them. Name the"
                    + " folder itself, or use patterns without /.")
        case .unreadableList(let number):
            let reason =
                switch number {
                case ENAMETOOLONG: "A name in the list is longer than any path. Use -0 for names that end with NUL."
                case EILSEQ: "The names in the list end with NUL. Use -0."
                default: "The list could not be read to its end (error \(number)). Check the program that writes it."
                }
            throw AnalysisFailure(.inputUnreadable, "\(reason) The files behind it were not judged.")
        case .remote:
            throw AnalysisFailure(
                .invalidArgument, "This is an address on a network, and nothing is fetched. Download the file first.")
        }
    }

    /// The name of the input in messages and tables.
    var name: String { kind == .standardInput ? "(standard input)" : path.text }
}
