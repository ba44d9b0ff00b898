// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import HelperProtocol
import TestSupport
import Testing

@Suite("A decoder that misbehaves")
struct MisbehavingDecoderTests {
    @Test(
        "A decoder that lies is replaced, and the next picture is decoded",
        arguments: PuppetInstructions.lies)
    func lies(words: String) async throws {
        let puppet = PuppetService()
        #expect(try await puppet.code(words) == .decoderFailed)
        #expect(try await puppet.decode("picture").views.count == 1)
    }

    @Test(
        "A decoder that ends twice with the same media has failed, and the next picture is decoded",
        arguments: PuppetInstructions.crashes)
    func crashes(words: String) async throws {
        let puppet = PuppetService()
        #expect(try await puppet.code(words) == .decoderFailed)
        #expect(try await puppet.decode("picture").views.count == 1)
    }

    @Test("A decoder that is killed once costs one retry and not the picture")
    func killedOnce() async throws {
        try await TestFiles.withFolder { folder in
            let mark = folder.appendingPathComponent("mark").path
            let puppet = PuppetService(omittedLayers: Set(SandboxLayer.allCases))
            let picture = try await puppet.decode("crash-unless \(mark)")
            #expect(picture.views.count == 1)
        }
    }

    @Test(
        "A decoder that hangs, spins or is late is ended at the time limit", .timeLimit(.minutes(1)),
        arguments: PuppetInstructions.hangs)
    func hangs(words: String) async throws {
        let puppet = PuppetService(timeLimit: .milliseconds(200))
        #expect(try await puppet.code(words) == .timedOut)
        #expect(try await puppet.with(timeLimit: .seconds(10)).decode("picture").views.count == 1)
    }

    @Test("A decoder that waits for a processor has the time for its work all the same", .timeLimit(.minutes(1)))
    func waitingForProcessor() async throws {
        let puppet = PuppetService(timeLimit: .milliseconds(500))
        #expect(try await puppet.decode("wait-for-processor").views.count == 1)
    }

    @Test(
        "A decoder that another program has stopped is replaced, and no longer limit is advised",
        .timeLimit(.minutes(1)))
    func stopped() async throws {
        let puppet = PuppetService(timeLimit: .milliseconds(500))
        let failure = await #expect(throws: AnalysisFailure.self) { try await puppet.decode("stop") }
        #expect(failure?.code == .timedOut && failure?.message.contains("has stopped") == true, "\(failure as Any)")
        #expect(failure?.message.contains("limit") == false)
        #expect(try await puppet.with(timeLimit: .seconds(10)).decode("picture").views.count == 1)
    }

    @Test("A decoder that closes its socket and goes on is ended")
    func closes() async throws {
        let puppet = PuppetService(timeLimit: .milliseconds(200))
        // The host sees the closed socket at once, unless the watch thread of the decoder still has it open.
        let code = try await puppet.code("close")
        #expect(code == .timedOut || code == .decoderFailed)
        #expect(try await puppet.with(timeLimit: .seconds(10)).decode("picture").views.count == 1)
    }

    @Test(
        "A decoder that answers twice or without end is replaced, and the next picture is not blamed",
        arguments: PuppetInstructions.furtherAnswers)
    func twice(words: String) async throws {
        let puppet = PuppetService()
        #expect(try await puppet.decode(words).views.count == 1)
        #expect(try await puppet.decode("picture").views.count == 1)
    }

    @Test(
        "A decoder gets no memory over the limit",
        .enabled(if: Requirements.hasMemoryLimit, Comment(rawValue: Requirements.memoryLimitRemedy)))
    func allocates() async throws {
        let puppet = PuppetService()
        #expect(try await puppet.code("allocate") == .limitExceeded)
        #expect(try await puppet.decode("picture").views.count == 1)
    }

    @Test("A decoder that opens a file is refused with the error that an ordinary lookup gets")
    func opens() async throws {
        let puppet = PuppetService()
        await #expect { try await puppet.decode("open /etc/passwd") } throws: { error in
            (error as? AnalysisFailure)?.message.contains("error \(EACCES)") == true
        }
    }

    @Test(
        "A decoder that reaches out of its sandbox is ended",
        arguments: PuppetInstructions.effects)
    func effects(words: String) async throws {
        let puppet = PuppetService()
        #expect(try await puppet.code(words) == .decoderFailed)
        #expect(try await puppet.decode("picture").views.count == 1)
    }

    @Test(
        "A decoder that lies about a film is replaced, and the next film is decoded",
        arguments: PuppetInstructions.filmLies)
    func filmLies(words: String) async throws {
        let puppet = PuppetService()
        #expect(try await puppet.code(ofFilm: words) == .decoderFailed)
        #expect(try await puppet.frameCount(ofFilm: "film") == 1)
    }

    @Test("A decoder that hangs within a film is ended at the time limit", .timeLimit(.minutes(1)))
    func filmHangs() async throws {
        let puppet = PuppetService(timeLimit: .milliseconds(200))
        #expect(try await puppet.code(ofFilm: "hang-later") == .timedOut)
        #expect(try await puppet.with(timeLimit: .seconds(10)).frameCount(ofFilm: "film") == 1)
    }

    @Test("A decoder is killed when the task is cancelled, and leaves no process behind", .timeLimit(.minutes(1)))
    func cancellation() async throws {
        try await TestFiles.withFolder { folder in
            let report = folder.appendingPathComponent("process")
            let puppet = PuppetService(omittedLayers: Set(SandboxLayer.allCases))
            let task = Task { try await puppet.decode("report-process \(report.path)") }
            var process: Int32?
            while process == nil {
                try await Task.sleep(for: .milliseconds(5))
                process = (try? String(contentsOf: report, encoding: .utf8)).flatMap(Int32.init)
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // The process is not even a zombie: its entry in /proc is gone.
            let path = "/proc/\(process ?? 0)"
            for _ in 0..<400 where FileManager.default.fileExists(atPath: path) {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try await puppet.decode("picture").views.count == 1)
        }
    }

    @Test("A misbehaving decoder does not keep pictures of other tasks from being decoded")
    func many() async throws {
        let puppet = PuppetService(count: 2)
        let outcomes = await withTaskGroup(of: AnalysisFailure.Code?.self) { group in
            for index in 0..<60 {
                let words = ["picture", "picture", "crash", "garbage"][index % 4]
                group.addTask { (try? await puppet.code(words)) ?? nil }
            }
            return await group.reduce(into: [AnalysisFailure.Code?: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes == [nil: 30, .decoderFailed: 30])
    }
}

@Suite("A decoder that cannot be used")
struct UnavailableDecoderTests {
    @Test("A missing decoder is reported with the remedy")
    func missing() async throws {
        let puppet = PuppetService(decoder: "no-such-decoder")
        await #expect { try await puppet.decode("picture") } throws: { error in
            let failure = error as? AnalysisFailure
            return failure?.code == .decoderUnavailable && failure?.message.contains("names the product") == true
        }
    }

    @Test("A decoder of another version is reported with both versions")
    func otherVersion() async throws {
        try await TestFiles.withFolder { folder in
            try await Program.copy("TestDecoder", to: folder.appendingPathComponent("decoder-old"))
            let puppet = PuppetService(decoder: "decoder-old", folders: [folder.path])
            await #expect { try await puppet.decode("picture") } throws: { error in
                let failure = error as? AnalysisFailure
                return failure?.code == .decoderUnavailable && failure?.message.contains("144.0.0") == true
                    && failure?.message.contains(PackageVersion.current) == true
            }
        }
    }

    @Test("Another program in the place of the decoder is reported")
    func otherProgram() async throws {
        #expect(try await PuppetService(decoder: "true", folders: ["/bin"]).code("picture") == .decoderUnavailable)
    }
}

@Suite("The pause before a decoder is started again")
struct RestartBackoffTests {
    @Test("The pause before a restart doubles up to half a second from the second crash on, and ends with an answer")
    func pauses() {
        var backoff = RestartBackoff()
        var pauses: [Duration] = []
        for _ in 0..<12 {
            pauses.append(backoff.pause)
            backoff.helperCrashed()
        }
        #expect(
            pauses.prefix(6) == [
                .zero, .zero, .milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(400),
            ])
        #expect(pauses.last == .milliseconds(500))
        backoff.helperAnswered()
        #expect(backoff.pause == .zero)
    }
}
