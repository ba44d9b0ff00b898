// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import FileAccess
internal import Foundation
internal import Glibc
package import HelperProtocol

/// Reads a Core ML file in a helper process of its own, because the file may come from a stranger.
///
/// Its functions block, so they must be called on a thread that may wait.
package struct ModelImporter: Sendable {
    private let launcher: DecoderLauncher

    /// - Parameters:
    ///   - folders: the folders of helpers; the program of the first folder that has it is used.
    ///   - requiresSandbox: whether the process must have every layer of the sandbox.
    package init(folders: [String], requiresSandbox: Bool = false) {
        let settings = HelperSettings(memoryLimit: Self.memory, requiresSandbox: requiresSandbox)
        launcher = DecoderLauncher(
            kind: .modelImporter,
            locator: HelperLocator(name: HelperKind.modelImporter.executableName, folders: folders), settings: settings)
    }

    /// Starts the process without a file, and returns its identity, for reports on the installation.
    ///
    /// - Throws: `decoderUnavailable` with the remedy.
    package func identity() throws -> HelperIdentity {
        do {
            let connection = try launcher.connect()
            defer { connection.kill() }
            return connection.identity
        } catch let error as HelperProcessError {
            throw Self.failure(error, launcher.kind)
        }
    }

    /// A Core ML file, and the ONNX model that was made from it.
    package struct Result: Sendable {
        package let contents: ModelFileContents
        /// The ONNX file; empty if the file has a part that is not supported.
        package let model: [UInt8]
    }

    /// Describes and converts the model of a package.
    ///
    /// - Throws: as ``read(_:weights:)``.
    package func read(_ package: ModelPackage) throws -> Result {
        try read(package.model, weights: package.weights)
    }

    /// Describes and converts a file.
    ///
    /// - Parameter weights: the file with the large constants of an ML program; nil if there is none.
    /// - Throws: `inputUnreadable`, `limitExceeded`, `modelUnavailable` or `decoderUnavailable`, with the remedy.
    package func read(_ file: OwnedDescriptor, weights: OwnedDescriptor? = nil) throws -> Result {
        let byteCount = try Self.byteCount(of: file)
        let weightsByteCount = try weights.map(Self.byteCount) ?? 0
        guard byteCount + weightsByteCount <= Self.largestFile else { throw Self.isTooLarge }
        do {
            let connection = try launcher.connect()
            defer { connection.kill() }
            if let weights {
                let request = ImporterRequest.weights(byteCount: UInt64(weightsByteCount))
                guard
                    case .closed = try connection.exchange(
                        request, with: weights, within: Self.longestConversion, givingWay: nil
                    ).reply
                else { throw HelperProcessError.invalidAnswer }
            }
            let reply = try connection.exchange(
                ImporterRequest.convertModel(byteCount: UInt64(byteCount)), with: file,
                within: Self.longestConversion, givingWay: nil
            ).reply
            switch reply {
            case .modelConverted(let descriptionByteCount, let modelByteCount):
                guard (1...Self.largestDescription).contains(descriptionByteCount), modelByteCount <= Self.largestModel
                else { throw HelperProcessError.invalidAnswer }
                return try Self.result(connection, Int(descriptionByteCount), Int(modelByteCount))
            case .modelFailure(let failure): throw AnalysisFailure(.modelUnavailable, failure.detail)
            default: throw HelperProcessError.invalidAnswer
            }
        } catch let error as HelperProcessError {
            throw Self.failure(error, launcher.kind)
        }
    }

    /// Copies the description and the model out of memory that the helper can still change.
    private static func result(
        _ connection: HelperConnection, _ descriptionByteCount: Int, _ modelByteCount: Int
    ) throws -> Result {
        let memory: OwnedDescriptor
        do throws(TransportError) { memory = try SealedMemory.room() } catch {
            throw HelperProcessError.cannotStart(error)
        }
        guard ftruncate(memory.number, descriptionByteCount + modelByteCount) == 0 else {
            throw HelperProcessError.cannotStart(.systemCall("ftruncate", errno))
        }
        guard
            case .closed = try connection.exchange(
                ImporterRequest.writeModel, with: memory, within: longestConversion, givingWay: nil
            ).reply
        else { throw HelperProcessError.invalidAnswer }
        let description = bytes(memory, from: 0, count: descriptionByteCount)
        let model = bytes(memory, from: descriptionByteCount, count: modelByteCount)
        guard model.count == modelByteCount,
            let contents = try? JSONDecoder().decode(ModelFileContents.self, from: Data(description)),
            (contents.interface == nil) == model.isEmpty,
            contents.description.unsupportedParts.isEmpty == (contents.interface != nil),
            contents.isPossible
        else { throw HelperProcessError.invalidAnswer }
        return Result(contents: contents, model: model)
    }

    private static func bytes(_ memory: OwnedDescriptor, from start: Int, count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, position in
            while position < count {
                let step = unsafe pread(
                    memory.number, buffer.baseAddress! + position, count - position, start + position)
                if step < 0 && errno == EINTR { continue }
                guard step > 0 else { return }
                position += step
            }
        }
    }

    private static func byteCount(of file: OwnedDescriptor) throws(AnalysisFailure) -> Int {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw AnalysisFailure(
                .inputUnreadable, "The model is no regular file. Name a file .mlmodel or a folder .mlpackage.")
        }
        guard status.st_size > 0 else {
            throw AnalysisFailure(.inputUnreadable, "The file of the model is empty. Get it again.")
        }
        guard status.st_size <= Self.largestFile else { throw isTooLarge }
        return Int(status.st_size)
    }

    private static let isTooLarge = AnalysisFailure(
        .limitExceeded, "The file is over the limit of 1 GiB for a model. Use a smaller model.")

    private static func failure(_ error: HelperProcessError, _ kind: HelperKind) -> AnalysisFailure {
        switch error {
        case .ended:
            AnalysisFailure(
                .modelUnavailable,
                "The process that reads the model ended unexpectedly. The file is likely to be damaged or hostile, or needs"
                    + " more memory than the limit allows. Get the file again.")
        case .timedOut:
            AnalysisFailure(
                .timedOut, "Reading the model took longer than the limit of two minutes. Use a smaller model.")
        case .invalidAnswer, .unaskedAnswer:
            AnalysisFailure(
                .modelUnavailable,
                "The process that reads the model gave no valid answer. Take the file for hostile, or run `sca doctor` if this"
                    + " happens with others.")
        default: kind.failure(.unavailable(error))
        }
    }

    /// The bytes of address space of the process: the file, its numbers, and the ONNX model twice.
    private static let memory = 4 << 30
    private static let largestFile = 1 << 30
    private static let largestDescription: UInt64 = 16 << 20
    private static let largestModel: UInt64 = 1 << 30
    private static let longestConversion = Duration.seconds(120)
}
