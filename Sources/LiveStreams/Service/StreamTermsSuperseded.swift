// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The error of an analysis whose terms were superseded before it began; the frame is analysed again.
package struct StreamTermsSuperseded: Error {
    package init() {}
}
