// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SCATool

@Suite("The start of the model before the arguments are read")
struct EarlyStartTests {
    @Test(
        "The model is started early for an analysis by the usual engine",
        arguments: [
            ["analyze", "a.jpg"], ["analyze", "--recursive", "--", "Pictures"], ["analyze", "--format", "jsonl", "-"],
        ])
    func useful(arguments: [String]) {
        #expect(EarlyStart.isUseful(arguments))
    }

    @Test(
        "The model is not started early if another model, other helpers or none may be used",
        arguments: [
            [], ["analyze"], ["doctor"], ["analyze", "--help"], ["analyze", "--model", "mine", "a.jpg"],
            ["analyze", "--model=mine", "a.jpg"], ["analyze", "--require-sandbox", "a.jpg"],
            ["analyze", "--decoder-memory", "1G", "a.jpg"], ["analyze", "-j", "4", "a.jpg"],
            ["analyze", "--jobs=4", "a.jpg"],
            ["analyze", "--cache", "-r", "Pictures"],
        ])
    func useless(arguments: [String]) {
        #expect(!EarlyStart.isUseful(arguments))
    }
}
