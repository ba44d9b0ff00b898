// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The error of a check that finds a helper's reply impossible.
package struct HelperLie: Error, Sendable {
    package init() {}
}
