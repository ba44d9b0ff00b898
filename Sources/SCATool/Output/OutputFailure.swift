// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Standard output took no more: what was judged is not known to whoever asked.
struct OutputFailure: Error, CustomStringConvertible {
    /// `EX_IOERR` of sysexits.h, since 1 and 2 are verdicts.
    static let exitCode: Int32 = 74

    let error: any Error

    func endProcess() -> Never {
        StandardError.write("Error: \(self)\n")
        ProcessEnd.now(Self.exitCode)
    }

    var description: String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let reason = underlying.map { " (error \($0.code))" } ?? ""
        return
            "The results could not be written to standard output\(reason). Make room, or check the program that reads"
            + " them."
    }
}
