// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// The files of a labelled set: a list in CSV or JSON lines, or a folder with a folder for each label.
struct LabelledSet: Sendable {
    /// The name of the list or of the folder.
    let name: String
    var files: [EvaluatedFile] = []
    /// Whether the files come from folders, where files that are no media are left out.
    var isFolder = false
    /// The number of files and folders that were left out, because their label is ignored or they are no media.
    var leftOut = 0

    /// Whether the set has scores, so that no file is judged.
    var hasScores: Bool { files.contains { $0.given != nil } }

    /// Reads a set.
    ///
    /// - Throws: `CommandFailure` with 64 or 66 and the place of the fault.
    init(_ path: InputPath, _ labels: LabelNames) throws(CommandFailure) {
        name = path.name.text
        guard let status = path.status(followingLinks: true) else {
            throw CommandFailure(
                "The set \(TerminalText.printable(path.text)) cannot be read (\(unsafe String(cString: strerror(errno)))). Name a"
                    + " list of labelled files, or a folder with a folder for each label.",
                exitCode: CommandFailure.noInputCode)
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            isFolder = true
            try readFolders(in: path, labels)
        } else {
            try readList(path, labels)
        }
        guard !files.isEmpty else {
            throw CommandFailure(
                "The set \(TerminalText.printable(path.text)) has no files. 'sca evaluate --help' shows the form of a set.",
                exitCode: CommandFailure.noInputCode)
        }
        addLabelsAsSlices()
    }

    private mutating func readFolders(in path: InputPath, _ labels: LabelNames) throws(CommandFailure) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path.text) else {
            throw CommandFailure(
                "The folder \(TerminalText.printable(path.text)) cannot be listed. Change its permissions.",
                exitCode: CommandFailure.noInputCode)
        }
        var unknown: Set<String> = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let folder = path.appending(InputPath(name))
            guard let status = folder.status(followingLinks: true), status.st_mode & S_IFMT == S_IFDIR else {
                leftOut += 1
                continue
            }
            guard let kind = labels.kind(of: name) else {
                unknown.insert(name)
                continue
            }
            let inputs = InputFinder(paths: [folder], isRecursive: true).makeIterator(names: nil)
            while let input = inputs.next() {
                if case .skipped = input.kind { leftOut += 1; continue }
                guard kind != .ignored else { leftOut += 1; continue }
                files.append(EvaluatedFile(path: input.path, label: name, isPositive: kind == .sensitive))
            }
        }
        guard unknown.isEmpty else { throw LabelNames.failure(unknown) }
    }

    private mutating func readList(_ path: InputPath, _ labels: LabelNames) throws(CommandFailure) {
        let rows = try LabelledList.rows(of: path)
        var unknown: Set<String> = []
        for row in rows {
            guard let kind = labels.kind(of: row.label) else {
                unknown.insert(row.label)
                continue
            }
            guard kind != .ignored else { leftOut += 1; continue }
            // A relative path leads from the list, so that a set can be moved.
            let file = InputPath(row.path)
            files.append(
                EvaluatedFile(
                    path: row.path.hasPrefix("/") ? file : path.folder.appending(file), label: row.label,
                    isPositive: kind == .sensitive, slices: row.slices, source: row.source, given: row.score,
                    givenAgainst: row.against))
        }
        guard unknown.isEmpty else { throw LabelNames.failure(unknown) }
        var seen: Set<InputPath> = []
        if let twice = files.first(where: { !seen.insert($0.path).inserted }) {
            throw .usage("The list names \(TerminalText.printable(twice.path.text)) twice. Name each file once.")
        }
        guard files.allSatisfy({ $0.given != nil || $0.givenAgainst == nil }) else {
            throw .usage("The list has a column against and no column score. Name the first scores score.")
        }
        let given = files.count { $0.given != nil }
        guard given == 0 || given == files.count else {
            throw .usage(
                "Some rows of the list have a score and others none. Leave the scores out, or give all of them.")
        }
    }

    /// Makes a slice of each label, if a kind has several.
    private mutating func addLabelsAsSlices() {
        for kind in [true, false] where Set(files.filter { $0.isPositive == kind }.map(\.label)).count > 1 {
            for place in files.indices where files[place].isPositive == kind {
                files[place].slices.append("label \(files[place].label)")
            }
        }
    }
}
