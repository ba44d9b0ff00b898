// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ModelInference

@Suite("Variables of the inference library")
struct OpenVINOVariablesTests {
    @Test("Variables that OpenVINO's libraries obey are found, and no others")
    func names() {
        #expect(OpenVINOVariables.first(in: ["PATH": "/bin", "OMP_NUM_THREADS": "1", "INTEL_TARGET_ARCH": "x"]) == nil)
        #expect(OpenVINOVariables.first(in: ["PATH": "/bin", "OV_B": "", "ONEDNN_A": "0"]) == "ONEDNN_A")
    }
}
