// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// An error whose text is shown to the person as it is.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    /// The exit code of the command.
    let exitCode: Int32

    init(_ description: String, exitCode: Int32 = Self.generalCode) {
        self.description = description
        self.exitCode = exitCode
    }

    static func usage(_ description: String) -> CommandFailure {
        CommandFailure(description, exitCode: usageCode)
    }

    /// Says what failed, and ends the command.
    func end() -> Never {
        StandardError.write("Error: \(description)\n")
        ProcessEnd.now(exitCode)
    }

    static let generalCode: Int32 = 1
    /// `EX_USAGE` of sysexits.h.
    static let usageCode: Int32 = 64
    /// `EX_IOERR` of sysexits.h, since 1 and 2 are verdicts.
    static let outputCode: Int32 = 74
}
