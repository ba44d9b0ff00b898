// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// No @testable here: this is what an app sees.
import Foundation
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite("Errors as NSError")
struct ErrorNumberTests {
    private static let codes: [SensitivityAnalysisError.Code] = [
        .malformedMedia, .unsupportedMedia, .ambiguousMedia, .limitExceeded, .timedOut, .inputUnreadable,
        .invalidArgument, .analysisDisabled, .modelUnavailable, .decoderUnavailable, .decoderFailed, .internalFailure,
    ]

    @Test("Each code has its own number in the documented domain, and the numbers are those of docs/errors.md")
    func numbers() throws {
        let page = try String(
            contentsOf: TestFiles.packageFolder.appendingPathComponent("docs/errors.md"), encoding: .utf8)
        for (place, code) in Self.codes.enumerated() {
            let cause = POSIXError(.EIO)
            let error = SensitivityAnalysisError(code, message: "A reason.", cause: cause) as NSError
            #expect(error.domain == "SensitiveContentAnalysis.SensitivityAnalysisError")
            #expect(error.code == place + 1 && error.code == code.number)
            #expect(error.localizedDescription == "A reason.")
            #expect(error.userInfo[NSUnderlyingErrorKey] is POSIXError)
            #expect(page.contains("| `\(code)` | \(code.number) |"))
        }
    }
}
