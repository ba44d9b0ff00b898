// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ModelInference

@Suite("The cache of compiled models")
struct CompiledModelCacheTests {
    private static let compiled = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    private static func cache(
        in folder: URL, hash: String = "0123456789abcdef", state: [UInt8] = [1, 2]
    ) throws -> CompiledModelCache {
        try #require(
            CompiledModelCache(
                root: folder.path, libraryVersion: "2026.4", modelHash: hash, modelFileState: state,
                configuration: "f32-1x2x2x3"))
    }

    private static func store(_ data: Data, in cache: CompiledModelCache) {
        cache.store {
            try data.write(to: URL(fileURLWithPath: $0))
        } isWhole: {
            unsafe Data($0.bytes) == data
        }
    }

    private static func content(of cache: CompiledModelCache) -> Data? {
        cache.content().map { unsafe Data($0.bytes) }
    }

    private static func file(in folder: URL) throws -> URL {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try #require(all?.lazy.compactMap { $0 as? URL }.first { $0.lastPathComponent == "model.blob" })
    }

    @Test("gives back what was stored, and nothing before")
    func roundTrip() async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            #expect(Self.content(of: cache) == nil)
            Self.store(Self.compiled, in: cache)
            #expect(Self.content(of: cache) == Self.compiled)
            let other = Data(Self.compiled.reversed())
            Self.store(other, in: cache)
            #expect(Self.content(of: cache) == other)
            #expect(Self.content(of: try Self.cache(in: folder, hash: "another model")) == nil)
            #expect(Self.content(of: try Self.cache(in: folder, state: [1, 3])) == nil)
        }
    }

    @Test("gives nothing of a damaged file", arguments: [0, 50_000, 99_999, 100_000, 100_031])
    func damage(position: Int) async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            Self.store(Self.compiled, in: cache)
            let file = try Self.file(in: folder)
            var bytes = try Data(contentsOf: file)
            #expect(bytes.count == 100_032)
            bytes[position] ^= 1
            try bytes.write(to: file)
            #expect(Self.content(of: cache) == nil)
        }
    }

    @Test("gives nothing of a file that was cut", arguments: [0, 1, 32, 33, 50_000, 100_031])
    func cut(length: Int) async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            Self.store(Self.compiled, in: cache)
            let file = try Self.file(in: folder)
            try Data(contentsOf: file).prefix(length).write(to: file)
            #expect(Self.content(of: cache) == nil)
        }
    }

    @Test("gives nothing to which others may write, and follows no link")
    func foreign() async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            Self.store(Self.compiled, in: cache)
            let file = try Self.file(in: folder)
            let manager = FileManager.default
            try manager.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
            #expect(Self.content(of: cache) == nil)
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            #expect(Self.content(of: cache) == Self.compiled)
            let elsewhere = folder.appendingPathComponent("elsewhere")
            try manager.moveItem(at: file, to: elsewhere)
            try manager.createSymbolicLink(at: file, withDestinationURL: elsewhere)
            #expect(Self.content(of: cache) == nil)
            try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: file.deletingLastPathComponent().path)
            #expect(
                CompiledModelCache(
                    root: folder.path, libraryVersion: "2026.4", modelHash: "0123456789abcdef",
                    modelFileState: [1, 2], configuration: "f32-1x2x2x3") == nil)
        }
    }

    @Test("makes the folder of all caches in a home that is there, and never makes the home")
    func missingHome() async throws {
        try await TestFiles.withFolder { folder in
            func isKept(_ root: String) -> Bool {
                CompiledModelCache(
                    root: folder.appendingPathComponent(root).path, libraryVersion: "2026.4", modelHash: "0123",
                    modelFileState: [1], configuration: "f32") != nil
            }
            for root in ["home/.cache/project", "home/caches/more/project"] {
                #expect(!isKept(root), "\(root)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("home"), withIntermediateDirectories: false)
            #expect(!isKept("home/.cache/more/project"))
            #expect(isKept("home/.cache/project") && isKept("caches/project"))
        }
    }

    @Test("keeps the old form when a writer fails or was interrupted")
    func interruption() async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            Self.store(Self.compiled, in: cache)
            cache.store { path in
                try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
                throw CocoaError(.fileWriteOutOfSpace)
            } isWhole: { _ in
                true
            }
            #expect(Self.content(of: cache) == Self.compiled)
            cache.store {
                try Data([1, 2, 3]).write(to: URL(fileURLWithPath: $0))
            } isWhole: { _ in
                false
            }
            #expect(Self.content(of: cache) == Self.compiled)
            // What the failed writer has left is in nobody's way.
            Self.store(Self.compiled + [9], in: cache)
            #expect(Self.content(of: cache) == Self.compiled + [9])
        }
    }
}
