// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol

/// The first exchange with a new process, in which the process reports its version, library and sandbox.
struct HelperGreeting: Sendable {
    let process: HelperProcess
    let settings: HelperSettings
    private let deadline: HelperDeadline

    init(process: HelperProcess, settings: HelperSettings, secondsToAnswer: Int) {
        self.process = process
        self.settings = settings
        deadline = HelperDeadline(after: .seconds(secondsToAnswer))
    }

    /// Waits for the reply to a greeting, and checks it.
    func identity(from socket: MessageSocket) throws -> HelperIdentity {
        switch try reply(from: socket) {
        case .hello(let identity):
            guard identity.packageVersion == PackageVersion.current else {
                throw HelperProcessError.differentVersion(identity.packageVersion)
            }
            let missing = identity.sandbox.missingLayers
            if settings.requiresSandbox, !missing.isEmpty { throw HelperProcessError.lacksLayers(missing) }
            return identity
        case .modelFailure(let failure): throw HelperProcessError.refused(failure)
        default: throw HelperProcessError.differentVersion("an unknown version")
        }
    }

    /// Waits for a reply.
    func reply(from socket: MessageSocket) throws -> HelperReply {
        let (bytes, _) = try socket.receive(within: deadline.remainingMilliseconds)
        guard let reply = try? HelperReply(decoding: bytes) else {
            throw HelperProcessError.differentVersion("an unknown version")
        }
        return reply
    }

    /// Runs the exchange, and ends the process if the exchange fails.
    func run<Value>(_ body: () throws -> Value) throws(HelperProcessError) -> Value {
        do {
            return try body()
        } catch let error as HelperProcessError {
            process.kill()
            throw error
        } catch TransportError.timedOut {
            process.kill()
            throw .timedOut
        } catch is TransportError {
            process.kill()
            throw .ended(process.endingAfterClosing())
        } catch {
            process.kill()
            throw .invalidAnswer
        }
    }
}
