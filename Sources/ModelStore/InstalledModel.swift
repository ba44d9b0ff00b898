// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import CompiledModels
internal import Foundation
internal import Glibc
internal import Hashing

/// A model folder: a manifest and the ONNX file that it names.
package struct InstalledModel: Sendable {
    package let folder: String
    package let manifest: ModelManifest

    package var modelPath: String { "\(folder)/\(manifest.file)" }

    /// Reads and validates the manifest of a folder, and leaves the ONNX file unread.
    ///
    /// - Throws: `modelUnavailable` with the fault in its message.
    package init(folder: String) throws(AnalysisFailure) {
        let data: Data
        do {
            data = try Self.read("\(folder)/manifest.json", atMost: Self.maximumManifestSize)
        } catch {
            throw AnalysisFailure(
                .modelUnavailable, "The model has no readable manifest.json of at most 1 MiB.", cause: error)
        }
        do {
            manifest = try JSONDecoder().decode(ModelManifest.self, from: data)
        } catch {
            throw AnalysisFailure(
                .modelUnavailable, "The manifest of the model is not valid: \(Self.explanation(of: error)).",
                cause: error)
        }
        try manifest.validate()
        self.folder = folder
    }

    /// Returns a hash of the model's and OpenVINO's file states, which tells whether a compiled copy is current: it
    /// changes whenever one of these files is written to or replaced, even by the same bytes.
    ///
    /// - Throws: `modelUnavailable` if the model's file is missing.
    package func state(with library: InferenceLibrary) throws(AnalysisFailure) -> [UInt8] {
        guard let state = FileStateText.of(modelPath) else { throw missing }
        do {
            var hash = try SHA256()
            hash.update(Array("\(library.folder)\n\(state)\n\(library.fileStates().joined(separator: "\n"))".utf8))
            return try hash.digest().bytes
        } catch {
            throw AnalysisFailure(.modelUnavailable, error.description, cause: error)
        }
    }

    /// Returns the cache of this model's compiled form below a folder, or nil if the processor is not known.
    package func compiledCopy(below root: String) -> CompiledModelCache? {
        CompiledModelCache(
            root: root, modelHash: manifest.sha256,
            configuration: "f32-map-\(manifest.input.shape.map(String.init).joined(separator: "x"))")
    }

    /// Opens the model's file.
    ///
    /// - Throws: `modelUnavailable` if it is missing.
    package func openModel() throws(AnalysisFailure) -> Int32 {
        // The call must not block, because a pipe in place of the file would delay every analysis.
        let file = unsafe open(modelPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw missing }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw missing
        }
        return file
    }

    private var missing: AnalysisFailure {
        AnalysisFailure(.modelUnavailable, "The file of the model \(manifest.name) is missing. Install the model anew.")
    }

    /// Checks that the ONNX file exists and has the size in the manifest, without reading it.
    ///
    /// - Throws: `modelUnavailable` with the remedy.
    package func requireFile() throws(AnalysisFailure) {
        var status = stat()
        guard unsafe stat(modelPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw missing }
        guard Int(status.st_size) == manifest.byteCount else {
            throw AnalysisFailure(
                .modelUnavailable,
                "The file of the model \(manifest.name) has another size than its manifest says. Install the model anew."
            )
        }
    }

    /// Checks the ONNX file against the hash in the manifest.
    ///
    /// - Throws: `modelUnavailable` if they differ, because a file that differs by one bit may give any score.
    package func verify() throws(AnalysisFailure) {
        let file = try openModel()
        defer { close(file) }
        let (size, digest): (Int, SHA256Digest)
        do {
            (size, digest) = try hash(file)
        } catch {
            throw AnalysisFailure(
                .modelUnavailable, "The file of the model \(manifest.name) could not be checked: \(error)", cause: error
            )
        }
        guard size == manifest.byteCount, digest.hexadecimal == manifest.sha256 else {
            throw AnalysisFailure(
                .modelUnavailable,
                "The file of the model \(manifest.name) is not the one that its manifest describes: size or SHA-256"
                    + " differ. It was not used. Install the model anew.")
        }
    }

    /// Returns the size and the digest of a file; of a longer file than in the manifest, it reads only the start.
    private func hash(_ file: Int32) throws -> (size: Int, digest: SHA256Digest) {
        var hash = try SHA256()
        var size = 0
        // One buffer serves all reads, because this is part of the first start.
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while size <= manifest.byteCount {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw ReadFailure(number: errno) }
            if count == 0 { break }
            size += count
            unsafe buffer.withUnsafeBytes {
                unsafe hash.update(UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
            }
        }
        return (size, try hash.digest())
    }

    private struct ReadFailure: Error, CustomStringConvertible {
        let number: Int32
        var description: String { "It could not be read (error \(number)). Install the model anew." }
    }

    private static func read(_ path: String, atMost limit: Int) throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let data = try file.read(upToCount: limit + 1) ?? Data()
        guard data.count <= limit else { throw CocoaError(.fileReadTooLarge) }
        return data
    }

    private static func explanation(of error: any Error) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return path.isEmpty ? "" : " in \(path.joined(separator: "."))"
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context): return "\(key.stringValue) is missing\(place(context))"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            return "a value has the wrong type\(place(context))"
        case DecodingError.dataCorrupted(let context): return "a value cannot be understood\(place(context))"
        case let unknown as ContentType.UnknownName: return unknown.description
        default: return "it cannot be read"
        }
    }

    static let maximumManifestSize = 1 << 20
}
