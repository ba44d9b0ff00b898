// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc

/// The options about the files that are looked for.
struct SearchOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: "Search folders and all below them.")
    var recursive = false

    @Option(
        help: ArgumentHelp(
            "Also judge the files whose names are in this list, one a line; - reads it from standard input, as it is written.",
            valueName: "file"), completion: .file())
    var filesFrom: String?

    @Flag(
        help: "Skip what --files-from names if it is no picture and no video, or is gone, as in folders.")
    var skipOther = false

    @Flag(
        help:
            "Call documents, archives and files of no known format in folders unknown, instead of skipping them: pictures may be in them."
    )
    var strict = false

    @Flag(name: [.customShort("0"), .long], help: "Names in --files-from, and names that -l prints, end with NUL.")
    var null = false

    @Option(
        help: ArgumentHelp(
            "Leave out files and folders of this name in folders; * ? [] are patterns, and one with / is for paths. It may be repeated.",
            valueName: "pattern"))
    var exclude: [NamePattern] = []

    @Option(help: ArgumentHelp("In folders, judge only files of this name. It may be repeated.", valueName: "pattern"))
    var include: [NamePattern] = []

    @Option(
        help: ArgumentHelp(
            "In folders, judge only files that were changed or put there after this: 30m, 12h, 7d, 2w, 2026-11-01, 2026-11-01T08:30, or the time of a file.",
            valueName: "age"), completion: .file())
    var newerThan: TimeLimit?

    @Flag(help: "Follow links in folders; each folder is searched once.")
    var follow = false

    var filter: SearchFilter {
        SearchFilter(excluded: exclude, included: include, newerThan: newerThan, followsLinks: follow)
    }

    func validate() throws {
        guard !skipOther || filesFrom != nil else {
            throw ValidationError(
                "--skip-other is for the names of --files-from. Files that you name are always judged.")
        }
        guard !strict || recursive || skipOther else {
            throw ValidationError("--strict is for files in folders, which may be skipped. Add --recursive.")
        }
        let needsFolders = [
            ("--exclude", !exclude.isEmpty), ("--include", !include.isEmpty), ("--newer-than", newerThan != nil),
            ("--follow", follow),
        ]
        for (option, isUsed) in needsFolders where isUsed && !recursive {
            throw ValidationError("\(option) is for files in folders. Add --recursive.")
        }
    }

    /// Opens the list of names; nil without one.
    ///
    /// - Throws: `CommandFailure` with 64 if the list cannot be opened.
    func nameReader() throws(CommandFailure) -> NameReader? {
        guard let filesFrom else { return nil }
        var descriptor = STDIN_FILENO
        if filesFrom != "-" {
            // A list may come from a pipe that a shell has made, so opening it may wait for the writer.
            descriptor = unsafe InputPath(filesFrom).withCString { path in
                unsafe open(path, O_RDONLY | O_CLOEXEC)
            }
        }
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw .usage("The list \(TerminalText.printable(filesFrom)) cannot be opened (\(reason)). Check its path.")
        }
        return NameReader(descriptor: descriptor, separator: null ? 0 : UInt8(ascii: "\n"))
    }
}
