// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import DecoderHost
internal import DecoderProtocol
internal import Foundation

/// What a file holds, told by its SHA-256: the same picture is the same under any name.
struct ContentDigest: Sendable, Hashable {
    private let bytes: SHA256Digest

    /// Reads a file; takes as long as reading does, so not on a thread that others wait for.
    ///
    /// - Returns: nil where the file cannot be read, or is larger than is worth it.
    init?(ofFile path: String) {
        guard let descriptor = try? DecoderInput.file(path: path).open() else { return nil }
        let file = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
        var hash = SHA256()
        var byteCount = 0
        do {
            while let chunk = try file.read(upToCount: 1 << 18), !chunk.isEmpty {
                byteCount += chunk.count
                guard byteCount <= Self.maximumByteCount else { return nil }
                hash.update(data: chunk)
            }
        } catch {
            return nil
        }
        bytes = hash.finalize()
    }

    /// Reading more than this takes longer than it saves.
    private static let maximumByteCount = 1 << 30
}
