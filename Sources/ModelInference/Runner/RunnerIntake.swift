// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import HelperProtocol

/// The connections, the setup and the files that the host sends before the model is loaded.
struct RunnerIntake {
    /// A connection to the host, and the memory into which the host writes views.
    struct Lane {
        let socket: MessageSocket
        var memory: MappedPixelMemory
    }

    private(set) var lanes: [Lane] = []
    let setup: ModelSetup
    let source: ModelSource

    /// Receives messages on the first connection until the request to load, then the greeting of each other connection.
    init(_ socket: MessageSocket) throws {
        var sockets = [socket]
        var memory: MappedPixelMemory?
        var model: OwnedDescriptor?
        var copy: (file: OwnedDescriptor, state: [UInt8])?
        var room: OwnedDescriptor?
        while true {
            let (request, attachment) = try Self.receive(socket)
            if case .loadModel(let setup) = request {
                guard let memory, let model, sockets.count == Int(setup.laneCount) else { throw Invalid() }
                self.setup = setup
                lanes = [Lane(socket: socket, memory: memory)]
                for other in sockets.dropFirst() {
                    guard case (.hello, let attachment?) = try Self.receive(other) else { throw Invalid() }
                    lanes.append(Lane(socket: other, memory: try MappedPixelMemory(attachment, isForAnswers: false)))
                }
                source = ModelSource(
                    libraryFolder: setup.libraryFolder, model: model, modelDigest: setup.modelDigest,
                    modelByteCount: Int(clamping: setup.modelByteCount), compiledCopy: copy, room: room)
                return
            }
            guard let attachment else { throw Invalid() }
            switch request {
            case .hello: memory = try MappedPixelMemory(attachment, isForAnswers: false)
            case .addLane:
                guard sockets.count < Int(ModelSetup.maximumLaneCount) else { throw Invalid() }
                sockets.append(MessageSocket(attachment))
            case .useModel: model = attachment
            case .useCompiledCopy(let state): copy = (attachment, state)
            case .keepCompiledCopy: room = attachment
            default: throw Invalid()
            }
        }
    }

    private static func receive(_ socket: MessageSocket) throws -> (ModelRequest, OwnedDescriptor?) {
        let (bytes, attachment) = try socket.receive(within: 10_000)
        return (try ModelRequest(decoding: bytes), attachment)
    }

    /// The error of a message that is not allowed at this point of the exchange.
    struct Invalid: Error {}
}
