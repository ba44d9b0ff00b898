// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import SensitiveContentAnalysis

extension SCSensitivityAnalyzer.Configuration {
    /// A configuration with a long time limit, because all tests run at once and these tests do not measure speed.
    static var patient: Self {
        var configuration = Self(demandedPolicy: .simpleInterventions)
        configuration.limits.maximumDecodingTime = .seconds(180)
        return configuration
    }
}
