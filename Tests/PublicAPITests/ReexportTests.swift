// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// No other import of this file brings Foundation's types: it compiles because the module re-exports them.
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite("A file that imports the module alone")
struct ReexportTests {
    init() throws {
        try MachinePolicy.ignore()
    }

    @Test("A file that imports the module alone has the types of Foundation that the module uses")
    func types() {
        let handler = SCSensitivityAnalyzer().videoAnalysis(forFileAt: URL(fileURLWithPath: "/no-such-file"))
        let progress: Progress = handler.progress
        #expect(progress.fractionCompleted == 0 && Data().isEmpty)
    }
}
