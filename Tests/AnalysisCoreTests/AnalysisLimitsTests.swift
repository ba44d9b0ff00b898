// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("Limits")
struct AnalysisLimitsTests {
    @Test("The default limits are valid")
    func standard() throws {
        try AnalysisLimits().validate()
    }

    @Test(
        "Limits without a bound, and limits that a message cannot carry, are refused",
        arguments: [
            AnalysisLimits { $0.maximumByteCount = 0 }, AnalysisLimits { $0.maximumEdge = -1 },
            AnalysisLimits { $0.maximumEdge = 1 << 33 }, AnalysisLimits { $0.maximumPixelCount = 0 },
            AnalysisLimits { $0.maximumStreamedPixelCount = .max }, AnalysisLimits { $0.maximumDecodingTime = .zero },
            AnalysisLimits { $0.maximumDecodingTime = .seconds(1e9) }, AnalysisLimits { $0.decoderMemory = 1 },
        ])
    func invalid(limits: AnalysisLimits) {
        #expect { try limits.validate() } throws: { ($0 as? AnalysisFailure)?.code == .invalidArgument }
    }
}
