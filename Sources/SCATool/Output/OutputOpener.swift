// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Glibc

/// Opens the output files of a command, and refuses files that the command already reads or writes.
struct OutputOpener {
    private let inputs: [String]
    private let search: InputFinder?
    private let replacesFiles: Bool
    /// The name, for messages, of the output that uses standard output; nil if there is none yet.
    private var standardOutputUser: String?
    private var opened: [(option: String, place: OutputPlace)] = []

    /// - Parameters:
    ///   - inputs: the paths that the person named, with "-" for standard input.
    ///   - search: finds the files in the folders among the inputs; nil if folders are not searched.
    ///   - replacesFiles: whether an existing file may be replaced.
    ///   - standardOutputUser: the output that uses standard output in any case, for messages.
    init(
        inputs: [String] = [], search: InputFinder? = nil, replacesFiles: Bool, standardOutputUser: String? = nil
    ) {
        self.inputs = inputs
        self.search = search
        self.replacesFiles = replacesFiles
        self.standardOutputUser = standardOutputUser
    }

    /// Opens the file that an option names, with "-" for standard output.
    ///
    /// - Throws: `CommandFailure` with 64 if the file must not be written, and with 74 if it cannot be written.
    mutating func open(
        _ path: String, for option: String, permissions: mode_t
    ) throws(CommandFailure) -> OutputFile {
        guard path != "-" else {
            if let user = standardOutputUser {
                throw .usage("Standard output cannot take \(option) beside \(user). Name a file for \(option).")
            }
            standardOutputUser = option
            return .standardOutput
        }
        let place = try place(path, for: option)
        let file = try OutputFile.beside(place, name: path, permissions: permissions)
        opened.append((option, place))
        return file
    }

    /// Returns the place of the file that an option names, which is neither standard output nor opened here.
    ///
    /// - Throws: `CommandFailure` with 64 if the file must not be written, and with 74 if it cannot be written.
    func place(_ path: String, for option: String) throws(CommandFailure) -> OutputPlace {
        guard !path.isEmpty else { throw .usage("\(option) has an empty name. Name a file\(orStandardOutput).") }
        // The system replaces invalid bytes of an argument by U+FFFD, so the file would get another name.
        guard !path.unicodeScalars.contains("\u{FFFD}") else {
            throw .usage("The name of the file for \(option) is not UTF-8 text. Give it another name.")
        }
        let place: OutputPlace
        do throws(OutputPlace.Failure) {
            place = try OutputPlace(path)
        } catch {
            throw .unwritable(path, number: error.number)
        }
        try check(place, TerminalText.printable(path), option)
        if let existing = place.existing, !existing.isRegular {
            if existing.isFolder { throw .unwritable(path, number: EISDIR) }
            throw .unwritable(path, "since it is no regular file. Name another file\(orStandardOutput).")
        }
        guard replacesFiles || place.existing == nil && !place.isLink else {
            throw .usage(
                "\(TerminalText.printable(path)) exists already. Name another file, or replace it with --force.")
        }
        return place
    }

    /// Words that offer standard output, if no output uses it yet.
    private var orStandardOutput: String { standardOutputUser == nil ? ", or - for standard output" : "" }

    /// - Throws: `CommandFailure` if standard output goes into an input, or into a non-empty file in a searched folder.
    func checkStandardOutput() throws(CommandFailure) {
        guard let output = FileIdentity(regularFile: STDOUT_FILENO) else { return }
        // The shell has created an empty file for the results.
        var status = stat()
        if let search, unsafe fstat(STDOUT_FILENO, &status) == 0, status.st_size > 0, search.finds(output) {
            throw .usage(
                "Standard output goes into a file in a folder that is searched, so it is an input. Let it go elsewhere:"
                    + " nothing is written onto inputs.")
        }
        for input in inputs where Self.identity(of: input) == output {
            throw .usage(
                "Standard output goes into \(Self.name(of: input)), which is an input. Let it go elsewhere: nothing is"
                    + " written onto inputs.")
        }
    }

    private func check(_ place: OutputPlace, _ path: String, _ option: String) throws(CommandFailure) {
        for other in opened where place.isSame(as: other.place) {
            throw .usage("\(option) and \(other.option) name the same file. Name one for each.")
        }
        for input in inputs where isSame(place, as: input) {
            throw .usage(
                "\(path) is the input \(Self.name(of: input)). Name another file for \(option): nothing is written onto"
                    + " inputs.")
        }
        guard let existing = place.existing else { return }
        for (descriptor, stream) in [(STDOUT_FILENO, "Standard output"), (STDERR_FILENO, "Standard error")]
        where FileIdentity(regularFile: descriptor) == existing.identity {
            throw .usage("\(stream) goes into \(path) already. Name another file for \(option).")
        }
        if existing.isRegular, let search, search.finds(existing.identity) {
            throw .usage(
                "\(path) is in a folder that is searched, so it is an input. Name a file elsewhere for \(option): nothing"
                    + " is written onto inputs.")
        }
    }

    private func isSame(_ place: OutputPlace, as input: String) -> Bool {
        if let identity = Self.identity(of: input) { return identity == place.existing?.identity }
        // The input is missing, and the output might create it.
        guard input != "-", let other = try? OutputPlace(input) else { return false }
        return place.isSame(as: other)
    }

    private static func identity(of input: String) -> FileIdentity? {
        input == "-" ? FileIdentity(regularFile: STDIN_FILENO) : FileIdentity(path: input)
    }

    private static func name(of input: String) -> String {
        input == "-" ? "standard input" : TerminalText.printable(input)
    }
}
