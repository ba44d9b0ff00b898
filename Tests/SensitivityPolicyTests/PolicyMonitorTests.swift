// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import SensitivityPolicy

@Suite("The policy of a process")
struct PolicyMonitorTests {
    /// Sources in a folder, where the one who runs the test is the administrator.
    private static func sources(_ folder: URL, isAccountsServiceInstalled: Bool = false) throws -> PolicySources {
        var sources = PolicySources(environment: ["XDG_CONFIG_HOME": folder.appendingPathComponent("config").path])
        sources.app = AppIdentity(path: folder.appendingPathComponent("bin/chat").path)
        sources.administratorFile = (folder.path, ["etc", "file.json"])
        sources.administrator = getuid()
        sources.entitlementFolder = folder.appendingPathComponent("entitlements").path
        sources.isInUserNamespace = false
        sources.accountsServiceMarkers = isAccountsServiceInstalled ? [folder.path] : []
        sources.busSocket = folder.appendingPathComponent("bus").path
        for name in ["etc", "config/sensitive-content-analysis", "entitlements"] {
            let path = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            chmod(path.path, 0o755)
        }
        try write(EntitlementTests.good, folder.appendingPathComponent("entitlements/chat.entitlements"))
        return sources
    }

    private static func write(_ text: String, _ file: URL) throws {
        try Data(text.utf8).write(to: file, options: .atomic)
        chmod(file.path, 0o644)
    }

    private static func policy(_ monitor: PolicyMonitor) -> AnalysisPolicy {
        monitor.snapshot().policy(demand: .disabled)
    }

    /// The time that a read takes whose answer is the strictest, for want of a better one.
    private static func timeOfSilentRead(_ monitor: PolicyMonitor) -> Duration {
        let clock = ContinuousClock()
        return clock.measure { #expect(policy(monitor) == .descriptive) }
    }

    @Test("The policy is disabled from the first question on if nothing is set or installed")
    func nothing() async throws {
        try await TestFiles.withFolder { folder in
            let monitor = PolicyMonitor(try Self.sources(folder))
            #expect(Self.policy(monitor) == .disabled)
            #expect(monitor.snapshot().communicationSafety == .off)
        }
    }

    @Test("The policy follows the files while the process runs", .timeLimit(.minutes(1)))
    func changes() async throws {
        try await TestFiles.withFolder { folder in
            let sources = try Self.sources(folder)
            let monitor = PolicyMonitor(sources)
            var changes = monitor.changes().makeAsyncIterator()
            #expect(Self.policy(monitor) == .disabled)
            func next(_ wanted: AnalysisPolicy) async {
                while let snapshot = await changes.next(), snapshot.policy(demand: .disabled) != wanted {}
                #expect(Self.policy(monitor) == wanted)
            }
            let own = URL(fileURLWithPath: try #require(sources.userFile))
            let administrators = folder.appendingPathComponent("etc/file.json")
            try Self.write(#"{"sensitiveContentWarning": true}"#, own)
            await next(.simple)
            let name = try #require(sources.accountName())
            try Self.write(#"{"accounts": {"\#(name)": {"communicationSafety": true}}}"#, administrators)
            await next(.descriptive)
            #expect(monitor.snapshot().userFile == nil)
            try Self.write(#"{"sensitiveContentWarning": false}"#, own)
            try Self.write("{}", administrators)
            await next(.disabled)
            try FileManager.default.removeItem(at: own.deletingLastPathComponent())
            try FileManager.default.createDirectory(
                at: own.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Self.write(#"{"apps": {"chat": true}}"#, own)
            await next(.simple)
            chmod(administrators.path, 0o666)
            await next(.descriptive)
        }
    }

    @Test("The policy is descriptive, after a quarter of a second, while the parental controls are silent")
    func silence() async throws {
        try await TestFiles.withFolder { folder in
            for isListening in [false, true] {
                var sources = try Self.sources(folder, isAccountsServiceInstalled: true)
                // A bus that takes connections and says nothing; the path has room for no more.
                let path = "/tmp/sca-\(UUID().uuidString)"
                sources.busSocket = path
                let bus = isListening ? try Self.listen(path) : -1
                defer {
                    close(bus)
                    unlink(path)
                }
                // A busy machine can make single reads longer, not all of them.
                var times: [(first: Duration, second: Duration)] = []
                for _ in 0..<5 {
                    let monitor = PolicyMonitor(sources)
                    times.append((Self.timeOfSilentRead(monitor), Self.timeOfSilentRead(monitor)))
                    guard case .unanswered = monitor.snapshot().parentalControls else { return #expect(Bool(false)) }
                }
                #expect(try #require(times.map(\.first).min()) < .milliseconds(300))
                // Nobody waits a second time.
                #expect(try #require(times.map(\.second).min()) < .milliseconds(50))
            }
        }
    }

    @Test("Parental controls that the administrator does not use are not asked")
    func notUsed() async throws {
        try await TestFiles.withFolder { folder in
            let sources = try Self.sources(folder, isAccountsServiceInstalled: true)
            try Self.write(#"{"usesAccountsService": false}"#, folder.appendingPathComponent("etc/file.json"))
            let monitor = PolicyMonitor(sources)
            #expect(monitor.snapshot().parentalControls == .notUsed)
            #expect(Self.policy(monitor) == .disabled)
        }
    }

    private static func listen(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard result == 0, Glibc.listen(descriptor, 5) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return descriptor
    }
}
