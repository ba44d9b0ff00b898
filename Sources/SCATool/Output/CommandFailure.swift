// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An error whose text is shown to the person unchanged.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    /// The exit code of the command.
    let exitCode: Int32

    init(_ description: String, exitCode: Int32 = Self.generalCode) {
        self.description = description
        self.exitCode = exitCode
    }

    /// Returns the failure of an output that cannot be written, with the reason and the remedy.
    ///
    /// - Parameters:
    ///   - path: the output as the person named it.
    ///   - number: the errno value.
    static func unwritable(_ path: String, number: Int32) -> CommandFailure {
        let remedy =
            switch number {
            case ENOENT, ENOTDIR: "Name a file in a folder that exists."
            case EACCES, EPERM, EROFS: "Name a file in a folder that you may write to."
            case ENOSPC, EDQUOT, EFBIG: "Make room, or name a file elsewhere."
            case EISDIR: "Name a file in it."
            default: "Name another file."
            }
        return unwritable(path, "(\(unsafe String(cString: strerror(number)))). \(remedy)")
    }

    static func unwritable(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure("\(TerminalText.printable(path)) cannot be written \(reason)", exitCode: outputCode)
    }

    static func usage(_ description: String) -> CommandFailure {
        CommandFailure(description, exitCode: usageCode)
    }

    /// Prints the failure, and ends the command.
    func end() -> Never {
        StandardError.write(TerminalText.wrapped("Error: \(description)", for: STDERR_FILENO) + "\n")
        ProcessEnd.now(exitCode)
    }

    static let generalCode: Int32 = 1
    /// `EX_USAGE` of sysexits.h.
    static let usageCode: Int32 = 64
    /// `EX_NOINPUT` of sysexits.h: no file was found that can be judged.
    static let noInputCode: Int32 = 66
    /// `EX_UNAVAILABLE` of sysexits.h.
    static let unavailableCode: Int32 = 69
    /// `EX_IOERR` of sysexits.h, because the exit codes 1 and 2 stand for verdicts.
    static let outputCode: Int32 = 74
}
