// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The identity of a helper process, which it sends as its reply to the greeting.
package struct HelperIdentity: Sendable, Equatable {
    package var packageVersion: String
    /// The decoding or inference library and its version, for reports on the installation.
    package var library: String
    package var sandbox: SandboxReport

    package init(packageVersion: String = PackageVersion.current, library: String, sandbox: SandboxReport) {
        self.packageVersion = packageVersion
        self.library = library
        self.sandbox = sandbox
    }
}
