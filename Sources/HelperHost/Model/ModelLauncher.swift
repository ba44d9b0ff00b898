// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
package import HelperProtocol
internal import Synchronization

/// Starts one process that holds the model's weights, and hands out all connections to this process.
package final class ModelLauncher: HelperLauncher {
    package let kind = HelperKind.modelRunner
    private let locator: HelperLocator
    private let settings: HelperSettings
    private let laneCount: Int
    private let open: @Sendable (Int) throws -> ModelParts
    private let running = Mutex<Running?>(nil)

    /// The running process and its unused connections.
    private struct Running {
        let process: HelperProcess
        var free: [HelperConnection]
        let report: ModelLoadReport
    }

    /// - Parameters:
    ///   - laneCount: the number of connections; each scores one picture at a time, on one core, or two if it is alone.
    ///   - open: opens the model's files and makes the setup, for the number of connections in its argument.
    package init(
        locator: HelperLocator, requiresSandbox: Bool, laneCount: Int,
        omittedLayers: Set<SandboxLayer> = [], opening open: @escaping @Sendable (Int) throws -> ModelParts
    ) {
        self.locator = locator
        self.laneCount = min(max(1, laneCount), Int(ModelSetup.maximumLaneCount))
        var settings = HelperSettings(
            memoryLimit: Self.memory + self.laneCount * Self.memoryOfLane, requiresSandbox: requiresSandbox)
        settings.omittedLayers = omittedLayers
        self.settings = settings
        self.open = open
    }

    package func requireProgram() throws { _ = try path() }

    private func path() throws(AnalysisFailure) -> String {
        do {
            return try locator.path()
        } catch {
            throw AnalysisFailure(.modelUnavailable, error.message)
        }
    }

    package func connect() throws -> HelperConnection { try connection().0 }

    /// Starts the process unless it runs, and returns its identity and the report on its model.
    ///
    /// - Throws: `modelUnavailable` with the remedy.
    package func load() throws -> (identity: HelperIdentity, report: ModelLoadReport) {
        do {
            let (connection, report) = try connection()
            defer { retire(connection) }
            return (connection.identity, report)
        } catch let error as HelperProcessError {
            throw kind.failure(.unavailable(error))
        }
    }

    /// The identifier of the running process, for tests.
    package var processIdentifier: Int32? { running.withLock { $0?.process.identifier } }

    private func connection() throws -> (HelperConnection, ModelLoadReport) {
        // The start is under the lock, so that a second caller waits for this process and starts no other process.
        try running.withLock { running in
            if var current = running, !current.process.hasEnded, let connection = current.free.popLast() {
                running = current
                return (connection, current.report)
            }
            // Without a free connection, no process runs, or the process is ending because a connection was lost.
            running = nil
            var started = try start()
            let connection = started.free.removeLast()
            running = started
            return (connection, started.report)
        }
    }

    package func retire(_ connection: HelperConnection) {
        running.withLock { running in
            guard var current = running, connection.leads(to: current.process) else { return }
            current.free.append(connection)
            // If all connections are unused, this drops the last reference to the process, which ends it.
            running = current.free.count == laneCount ? nil : current
        }
    }

    private func start() throws -> Running {
        let path = try path()
        let parts = try open(laneCount)
        let (process, first) = try HelperProcess.start(path: path, settings: settings, kind: kind)
        let greeting = HelperGreeting(process: process, settings: settings, secondsToAnswer: kind.startingSeconds)
        return try greeting.run {
            func send(_ request: ModelRequest, _ attachment: OwnedDescriptor? = nil) throws {
                try first.send(request.encoded(as: 0), with: attachment)
            }
            var lanes: [(socket: MessageSocket, memory: PixelMemory)] = []
            for index in 0..<laneCount {
                let socket = index == 0 ? first : try Self.openLane(of: first)
                let memory = try HelperProcess.memory()
                try socket.send(ModelRequest.hello.encoded(as: 0), with: memory.descriptor)
                lanes.append((socket, memory))
            }
            try send(.useModel, parts.model)
            if let copy = parts.compiledCopy { try send(.useCompiledCopy(state: copy.state), copy.file) }
            let room = parts.keep == nil ? nil : try SealedMemory.room()
            if let room { try send(.keepCompiledCopy, room) }
            try send(.loadModel(parts.setup))
            let identities = try lanes.map { try greeting.identity(from: $0.socket) }
            let report = try Self.report(try greeting.reply(from: first), parts.setup)
            if let room, let keep = parts.keep, report.compiledByteCount > 0 {
                keep(room, Int(clamping: report.compiledByteCount))
            }
            let free = zip(lanes, identities).map { lane, identity in
                HelperConnection(process, lane.socket, lane.memory, identity)
            }
            return Running(process: process, free: free.reversed(), report: report)
        }
    }

    /// Opens another connection to the process, and leaves the other end of its socket to the process alone.
    private static func openLane(of first: MessageSocket) throws -> MessageSocket {
        let (socket, helperSocket) = try HelperProcess.sockets()
        try first.send(ModelRequest.addLane.encoded(as: 0), with: helperSocket.descriptor)
        return socket
    }

    private static func report(_ reply: HelperReply, _ setup: ModelSetup) throws -> ModelLoadReport {
        switch reply {
        case .modelLoaded(let report):
            guard report.drawings.count == KnownAnswers.drawingCount,
                report.drawings.allSatisfy({ $0.count == setup.outputs.count })
            else { throw HelperProcessError.invalidAnswer }
            return report
        case .modelFailure(let failure): throw HelperProcessError.refused(failure)
        default: throw HelperProcessError.invalidAnswer
        }
    }

    /// The bytes of address space that the process may add after loading, apart from the share of each connection.
    private static let memory = 1 << 30
    /// The bytes of address space for each connection: 64 MiB of pixel memory, and 512 MiB for a picture of an app.
    private static let memoryOfLane = 576 << 20
}
