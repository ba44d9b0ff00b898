// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import SensitivityPolicy

@Suite("The watch of a settings file")
struct FileWatchTests {
    private static let second = Duration.seconds(1)

    /// Makes a watch of a file that is older than a second.
    private static func olderWatch(of file: URL) -> FileWatch {
        let watch = FileWatch([file.path], at: .now - second)
        watch.renew()
        return watch
    }

    /// Returns whether the kernel has an event for the watch.
    private static func hasEvent(_ watch: FileWatch) throws -> Bool {
        var request = pollfd(fd: try #require(watch.descriptor), events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    // The kernel takes ten milliseconds to close such a descriptor, which every short command would wait for.
    @Test("A watch opens no descriptor in its first second")
    func beginning() async throws {
        try await TestFiles.withFolder { folder in
            let start = ContinuousClock.now
            let watch = FileWatch([folder.appendingPathComponent("settings.json").path], at: start)
            watch.renew(at: start + .milliseconds(999))
            #expect(watch.descriptor == nil)
            watch.renew(at: start + Self.second)
            let descriptor = try #require(watch.descriptor)
            #expect(descriptor >= 0)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `A watch without a descriptor ends its wait when the first second is over`() async throws {
        try await TestFiles.withFolder { folder in
            let watch = FileWatch([folder.appendingPathComponent("settings.json").path])
            watch.renew()
            watch.wait(settlingTime: 0)
            watch.renew()
            #expect(watch.descriptor != nil)
        }
    }

    @Test("A renewed watch keeps its descriptor, forgets former events, and has later events")
    func renewal() async throws {
        try await TestFiles.withFolder { folder in
            // The kernel tells of a move at once. It tells of a written file after its last descriptor is closed, and
            // a program that another test starts can hold the descriptor for some time.
            let texts = try ["", "{}"].map { text in
                let place = folder.appendingPathComponent("texts/\(text.utf8.count)")
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: place)
                return place
            }
            let file = folder.appendingPathComponent("settings/settings.json")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let watch = Self.olderWatch(of: file)
            let descriptor = watch.descriptor
            #expect(rename(texts[0].path, file.path) == 0)
            #expect(try Self.hasEvent(watch))
            watch.renew()
            #expect(watch.descriptor == descriptor)
            #expect(try !Self.hasEvent(watch))
            #expect(rename(texts[1].path, file.path) == 0)
            #expect(try Self.hasEvent(watch))
        }
    }

    @Test("A renewed watch follows a folder that has taken the place of another folder")
    func replacement() async throws {
        try await TestFiles.withFolder { folder in
            let inner = folder.appendingPathComponent("settings")
            let former = folder.appendingPathComponent("former")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            let watch = Self.olderWatch(of: inner.appendingPathComponent("settings.json"))
            try FileManager.default.moveItem(at: inner, to: former)
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            watch.renew()
            // The end of the former watch is itself an event.
            watch.renew()
            try Data().write(to: former.appendingPathComponent("settings.json"))
            #expect(try !Self.hasEvent(watch))
            try Data().write(to: inner.appendingPathComponent("settings.json"))
            #expect(try Self.hasEvent(watch))
        }
    }
}
