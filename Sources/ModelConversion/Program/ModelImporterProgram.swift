// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import Foundation
internal import Glibc
internal import HelperProtocol
internal import HelperService

/// The main program of the process that reads Core ML files, which come from strangers.
package enum ModelImporterProgram {
    /// Serves the host until the end of the process.
    package static func run() -> Never {
        HelperProgram.run(loading: {}) { _, socket, sandbox in
            do {
                try serve(socket, sandbox)
            } catch {
                return error is TransportError ? 0 : 1
            }
        }
    }

    private static func serve(_ socket: MessageSocket, _ sandbox: SandboxReport) throws -> Never {
        var converted: (description: Data, model: [UInt8])?
        var weights: (file: OwnedDescriptor, byteCount: UInt64)?
        while true {
            let (bytes, attachment) = try socket.receive(within: idleMilliseconds)
            let serial = try MessageHeader(of: bytes).serial
            let reply: HelperReply
            switch (try ImporterRequest(decoding: bytes), attachment) {
            case (.hello, _?): reply = .hello(HelperIdentity(library: "swift-protobuf", sandbox: sandbox))
            case (.weights(let byteCount), let file?):
                weights = (file, byteCount)
                reply = .closed
            case (.convertModel(let byteCount), let file?):
                converted = nil
                let constants = weights
                weights = nil
                do throws(ConversionFailure) {
                    var content: [UInt8] = []
                    if let constants { content = try self.content(of: constants.file, byteCount: constants.byteCount) }
                    let result = try convert(try self.content(of: file, byteCount: byteCount), weights: content)
                    converted = result
                    reply = .modelConverted(
                        descriptionByteCount: UInt64(result.description.count),
                        modelByteCount: UInt64(result.model.count))
                } catch {
                    reply = .modelFailure(ModelFailure(.unusable, error.message))
                }
            case (.writeModel, let memory?):
                guard let result = converted else { throw TransportError.closed }
                try write(Array(result.description) + result.model, to: memory)
                reply = .closed
            default: throw TransportError.closed
            }
            try socket.send(reply.encoded(answering: serial))
        }
    }

    private static func content(of file: OwnedDescriptor, byteCount: UInt64) throws(ConversionFailure) -> [UInt8] {
        let count = Int(clamping: byteCount)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, position in
            while position < count {
                let step = unsafe pread(file.number, buffer.baseAddress! + position, count - position, position)
                if step < 0 && errno == EINTR { continue }
                guard step > 0 else { return }
                position += step
            }
        }
        guard bytes.count == count else { throw ConversionFailure("The file became shorter meanwhile", .exportAgain) }
        return bytes
    }

    private static func convert(
        _ bytes: [UInt8], weights: [UInt8]
    ) throws(ConversionFailure) -> (description: Data, model: [UInt8]) {
        let (description, model) = try CoreMLFile(bytes, weights: weights).inspected()
        let contents = ModelFileContents(description: description, interface: model?.interface)
        do {
            return (try JSONEncoder().encode(contents), model?.bytes ?? [])
        } catch {
            throw ConversionFailure("The texts of the model cannot be written", .exportAgain)
        }
    }

    /// Writes the bytes by a mapping, because the limits of the process allow no file to grow.
    private static func write(_ bytes: [UInt8], to memory: OwnedDescriptor) throws {
        guard let mapped = unsafe mmap(nil, bytes.count, PROT_READ | PROT_WRITE, MAP_SHARED, memory.number, 0),
            unsafe mapped != MAP_FAILED
        else { throw TransportError.systemCall("mmap", errno) }
        unsafe UnsafeMutableRawBufferPointer(start: mapped, count: bytes.count).copyBytes(from: bytes)
        unsafe munmap(mapped, bytes.count)
    }

    private static let idleMilliseconds: Int32 = 10_000
}
