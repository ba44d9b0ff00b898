// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("Limits")
struct AnalysisLimitsTests {
    @Test("are valid as they come")
    func standard() throws {
        try AnalysisLimits().validate()
    }

    @Test(
        "that bound nothing or cannot be carried are refused",
        arguments: [
            AnalysisLimits(maximumByteCount: 0), AnalysisLimits(maximumEdge: -1),
            AnalysisLimits(maximumEdge: 1 << 33), AnalysisLimits(maximumPixelCount: 0),
            AnalysisLimits(maximumStreamedPixelCount: .max), AnalysisLimits(maximumDecodingTime: .zero),
            AnalysisLimits(maximumDecodingTime: .seconds(1e9)), AnalysisLimits(decoderMemory: 1),
        ])
    func invalid(limits: AnalysisLimits) {
        #expect { try limits.validate() } throws: { ($0 as? AnalysisFailure)?.code == .invalidArgument }
    }
}
