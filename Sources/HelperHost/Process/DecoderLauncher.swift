// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol

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
            try socket.send(DecoderRequest.hello.encoded(as: 0), with: memory.descriptor)
            return HelperConnection(process, socket, memory, try greeting.identity(from: socket))
        }
    }

    func retire(_ connection: HelperConnection) { connection.kill() }
}
