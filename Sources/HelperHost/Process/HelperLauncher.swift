// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A source of connections to helper processes of one kind, which starts these processes.
package protocol HelperLauncher: Sendable {
    var kind: HelperKind { get }

    /// Throws `AnalysisFailure` with the remedy if the program is missing.
    func requireProgram() throws

    /// Returns a connection that no other caller uses, and blocks until its process has replied to the greeting.
    ///
    /// - Throws: `HelperProcessError` or `AnalysisFailure`.
    func connect() throws -> HelperConnection

    /// Takes back a connection that has had no request for a while.
    func retire(_ connection: HelperConnection)
}
