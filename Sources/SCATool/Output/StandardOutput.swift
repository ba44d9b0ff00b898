// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Standard output, for results.
enum StandardOutput {
    /// `EX_IOERR` of sysexits.h, since 1 and 2 are verdicts.
    private static let failureCode: Int32 = 74

    /// Writes a line, or ends the process where it cannot be written: who asked would not know what was judged.
    ///
    /// At once and not by an error, on whose way up inputs would be waited for that may never come.
    static func write(line: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
        } catch {
            let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = underlying.map { " (error \($0.code))" } ?? ""
            StandardError.write(
                "Error: The results could not be written to standard output\(reason). Make room, or check the program that"
                    + " reads them.\n")
            ProcessEnd.now(failureCode)
        }
    }
}
