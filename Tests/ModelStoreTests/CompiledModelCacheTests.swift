// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import CompiledModels
import Foundation
import TestSupport
import Testing

@Suite("The cache of compiled models")
struct CompiledModelCacheTests {
    private static let compiled = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    private static let state = [UInt8](repeating: 1, count: 32)

    private static func cache(in folder: URL, hash: String = "0123456789abcdef") throws -> CompiledModelCache {
        try #require(CompiledModelCache(root: folder.path, modelHash: hash, configuration: "f32-1x2x2x3"))
    }

    private static func store(_ data: Data, in cache: CompiledModelCache, state: [UInt8] = state) throws -> Bool {
        try TestFiles.withTemporaryFile(data) { file in
            cache.store(file.fileDescriptor, byteCount: data.count, state: state)
        }
    }

    /// The compiled form that a start would use.
    private static func content(of cache: CompiledModelCache, state: [UInt8] = state) throws -> Data? {
        guard let number = cache.open(state: state) else { return nil }
        let data = try FileHandle(fileDescriptor: number, closeOnDealloc: true).readToEnd() ?? Data()
        return unsafe data.withUnsafeBytes { unsafe CompiledCopyTrailer.contentLength(of: $0, state: state) }
            .map { data.prefix($0) }
    }

    @Test("The cache of models gives back a stored model, and nothing before")
    func roundTrip() async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            #expect(try Self.content(of: cache) == nil)
            #expect(try Self.store(Self.compiled, in: cache))
            #expect(try Self.content(of: cache) == Self.compiled)
            let other = Data(Self.compiled.reversed())
            #expect(try Self.store(other, in: cache))
            #expect(try Self.content(of: cache) == other)
            #expect(try Self.content(of: try Self.cache(in: folder, hash: "another model")) == nil)
            #expect(cache.open(state: [UInt8](repeating: 2, count: 32)) == nil)
        }
    }

    @Test(
        "The cache of models gives nothing of a damaged file",
        arguments: [0, 50_000, 99_999, 100_000, 100_031, 100_032, 100_063])
    func damage(position: Int) async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            #expect(try Self.store(Self.compiled, in: cache))
            let file = URL(fileURLWithPath: cache.file)
            var bytes = try Data(contentsOf: file)
            #expect(bytes.count == 100_064)
            bytes[position] ^= 1
            try bytes.write(to: file)
            #expect(try Self.content(of: cache) == nil)
        }
    }

    @Test("The cache of models gives nothing of a file that was cut", arguments: [0, 1, 63, 64, 65, 50_000, 100_063])
    func cut(length: Int) async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            #expect(try Self.store(Self.compiled, in: cache))
            let file = URL(fileURLWithPath: cache.file)
            try Data(contentsOf: file).prefix(length).write(to: file)
            #expect(try Self.content(of: cache) == nil)
        }
    }

    @Test("The cache of models gives no file that others may write to, and follows no link")
    func foreign() async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            #expect(try Self.store(Self.compiled, in: cache))
            let file = URL(fileURLWithPath: cache.file)
            let manager = FileManager.default
            try manager.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
            #expect(cache.open(state: Self.state) == nil)
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            #expect(try Self.content(of: cache) == Self.compiled)
            // As if it belonged to somebody else.
            #expect(cache.open(state: Self.state, owner: 4_000_000_000) == nil)
            let elsewhere = folder.appendingPathComponent("elsewhere")
            try manager.moveItem(at: file, to: elsewhere)
            try manager.createSymbolicLink(at: file, withDestinationURL: elsewhere)
            #expect(cache.open(state: Self.state) == nil)
            try manager.removeItem(at: file)
            try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: file.deletingLastPathComponent().path)
            #expect(try !Self.store(Self.compiled, in: cache))
        }
    }

    @Test("The cache of models makes the folder of all caches in an existing home, and never makes the home")
    func missingHome() async throws {
        try await TestFiles.withFolder { folder in
            func isKept(_ root: String) throws -> Bool {
                try Self.store(Self.compiled, in: try Self.cache(in: folder.appendingPathComponent(root)))
            }
            for root in ["home/.cache/project", "home/caches/more/project"] {
                #expect(try !isKept(root), "\(root)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("home"), withIntermediateDirectories: false)
            #expect(try !isKept("home/.cache/more/project"))
            #expect(try isKept("home/.cache/project"))
            #expect(try isKept("caches/project"))
        }
    }

    @Test("The cache of models keeps no form that is shorter than its process says")
    func tooShort() async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            try TestFiles.withTemporaryFile(Self.compiled) { file in
                #expect(!cache.store(file.fileDescriptor, byteCount: 1 << 20, state: Self.state))
                #expect(!cache.store(file.fileDescriptor, byteCount: .max, state: Self.state))
            }
            #expect(cache.open(state: Self.state) == nil)
        }
    }

    @Test("The cache of models keeps the old form when a writer fails or was interrupted")
    func interruption() async throws {
        try await TestFiles.withFolder { folder in
            let cache = try Self.cache(in: folder)
            #expect(try Self.store(Self.compiled, in: cache))
            #expect(!cache.store(-1, byteCount: 100, state: Self.state))
            #expect(!cache.store(-1, byteCount: 0, state: Self.state))
            #expect(try Self.content(of: cache) == Self.compiled)
            // The rest of an interrupted writer is in nobody's way.
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(cache.file).new"))
            #expect(try Self.store(Self.compiled + [9], in: cache))
            #expect(try Self.content(of: cache) == Self.compiled + [9])
        }
    }
}
