// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import SensitiveContentAnalysis

extension SCSensitivityAnalyzer.Configuration {
    /// Analysis with as much time as a machine needs that runs all tests at once: what is made is claimed, not how fast.
    static var patient: Self {
        var configuration = Self(demandedPolicy: .simpleInterventions)
        configuration.limits.maximumDecodingTime = .seconds(180)
        return configuration
    }
}
