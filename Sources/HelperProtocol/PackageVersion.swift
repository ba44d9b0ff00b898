// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The version of this package, which the host and its helpers must share.
///
/// Releases are numbered 145.x.y so that `canImport(SensitiveContentAnalysis, _version: 145)` holds.
package enum PackageVersion {
    package static let current = "145.0.0"
}
