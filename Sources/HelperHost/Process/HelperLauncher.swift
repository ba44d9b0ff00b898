// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol

/// Gives connections to helper processes of one kind, and starts processes for them.
package protocol HelperLauncher: Sendable {
    var kind: HelperKind { get }

    /// - Throws: `AnalysisFailure` with the remedy where the program is missing.
    func requireProgram() throws

    /// Gives a connection that nobody else uses; blocks until its process has answered the greeting.
    ///
    /// - Throws: `HelperProcessError` or `AnalysisFailure`.
    func connect() throws -> HelperConnection

    /// Takes a connection back that has had no work for a while.
    func retire(_ connection: HelperConnection)
}

/// Starts a decoder process for each connection.
struct DecoderLauncher: HelperLauncher {
    let kind: HelperKind
    let locator: HelperLocator
    let settings: HelperSettings

    func requireProgram() throws { _ = try locator.path() }

    func connect() throws -> HelperConnection {
        let memory = try HelperProcess.memory()
        let (process, socket) = try HelperProcess.start(path: try locator.path(), settings: settings, kind: kind)
        let greeting = HelperGreeting(process: process, settings: settings, secondsToAnswer: kind.startingSeconds)
        return try greeting.run {
            try socket.send(HelperRequest.hello.encoded(as: 0), with: memory.descriptor)
            return HelperConnection(process, socket, memory, try greeting.identity(from: socket))
        }
    }

    func retire(_ connection: HelperConnection) { connection.kill() }
}
