// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import DecoderHost
import DecoderProtocol
import Foundation
import TestSupport
import Testing

/// A service whose decoder obeys the words in its media.
private func service(
    decoder: String = "TestDecoder", folders: [String] = [TestFiles.products.path], count: Int = 1
) -> ImageDecodingService {
    ImageDecodingService(
        pool: DecoderPool(
            locator: DecoderLocator(name: decoder, folders: folders), maximumCount: count, memoryLimit: 1 << 30))
}

private func decode(
    _ words: String, with service: ImageDecodingService, timeLimit: Duration = .seconds(10)
) async throws -> DecodedPicture {
    let memory = try unsafe SealedMemory.filled(byteCount: words.utf8.count) { unsafe $0.copyBytes(from: words.utf8) }
    return try await service.decode(
        { .memory(memory) }, minimumWidth: 256, minimumHeight: 256, findsTestPatterns: false,
        limits: AnalysisLimits(maximumDecodingTime: timeLimit))
}

private func code(_ words: String, with service: ImageDecodingService, timeLimit: Duration = .seconds(10)) async throws
    -> AnalysisFailure.Code?
{
    do {
        _ = try await decode(words, with: service, timeLimit: timeLimit)
        return nil
    } catch let failure as AnalysisFailure {
        return failure.code
    }
}

@Suite("A decoder that misbehaves")
struct MisbehavingDecoderTests {
    @Test(
        "that lies is replaced, and the next picture is decoded",
        arguments: [
            "garbage", "other-kind", "no-memory", "unsealed", "short-memory", "long-memory", "zero-width", "wide",
            "huge", "narrow-rows", "no-views", "many-views", "over-reduced",
        ])
    func lies(words: String) async throws {
        let service = service()
        #expect(try await code(words, with: service) == .decoderFailed)
        #expect(try await decode("picture", with: service).views.count == 1)
    }

    @Test("that crashes twice with the same media has failed, and the next picture is decoded")
    func crashes() async throws {
        let service = service()
        #expect(try await code("crash", with: service) == .decoderFailed)
        #expect(try await decode("picture", with: service).views.count == 1)
    }

    @Test("that ends without an error each time does not keep the host busy for ever")
    func exits() async throws {
        #expect(try await code("exit", with: service()) == .decoderFailed)
    }

    @Test("that is killed once costs one retry and not the picture")
    func killedOnce() async throws {
        try await TestFiles.withFolder { folder in
            let mark = folder.appendingPathComponent("mark").path
            let picture = try await decode("crash-unless \(mark)", with: service())
            #expect(picture.views.count == 1)
        }
    }

    @Test("that hangs or spins is cut at the time limit", .timeLimit(.minutes(1)), arguments: ["hang", "spin"])
    func hangs(words: String) async throws {
        let service = service()
        #expect(try await code(words, with: service, timeLimit: .milliseconds(200)) == .timedOut)
        #expect(try await decode("picture", with: service).views.count == 1)
    }

    @Test("is killed when the task is cancelled, and leaves no process behind")
    func cancellation() async throws {
        try await TestFiles.withFolder { folder in
            let report = folder.appendingPathComponent("process")
            let service = service()
            let task = Task { try await decode("report-process \(report.path)", with: service) }
            var process: Int32?
            while process == nil {
                try await Task.sleep(for: .milliseconds(5))
                process = (try? String(contentsOf: report, encoding: .utf8)).flatMap(Int32.init)
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // Not even a zombie: the entry of the process is gone.
            let path = "/proc/\(process ?? 0)"
            for _ in 0..<400 where FileManager.default.fileExists(atPath: path) {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try await decode("picture", with: service).views.count == 1)
        }
    }

    @Test("does not keep pictures of other tasks from being decoded")
    func many() async throws {
        let service = service(count: 2)
        let outcomes = await withTaskGroup(of: AnalysisFailure.Code?.self) { group in
            for index in 0..<60 {
                let words = ["picture", "picture", "crash", "garbage"][index % 4]
                group.addTask { (try? await code(words, with: service)) ?? nil }
            }
            return await group.reduce(into: [AnalysisFailure.Code?: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes == [nil: 30, .decoderFailed: 30])
    }
}

@Suite("A decoder that cannot be used")
struct UnavailableDecoderTests {
    @Test("because it is missing is reported with the remedy")
    func missing() async throws {
        let service = service(decoder: "no-such-decoder")
        await #expect { try await decode("picture", with: service) } throws: { error in
            let failure = error as? AnalysisFailure
            return failure?.code == .decoderUnavailable && failure?.message.contains("names the product") == true
        }
    }

    @Test("because it is of another version is reported with both versions")
    func otherVersion() async throws {
        try await TestFiles.withFolder { folder in
            let old = folder.appendingPathComponent("decoder-old").path
            try FileManager.default.copyItem(
                atPath: TestFiles.products.appendingPathComponent("TestDecoder").path, toPath: old)
            let service = service(decoder: "decoder-old", folders: [folder.path])
            await #expect { try await decode("picture", with: service) } throws: { error in
                let failure = error as? AnalysisFailure
                return failure?.code == .decoderUnavailable && failure?.message.contains("144.0.0") == true
                    && failure?.message.contains(PackageVersion.current) == true
            }
        }
    }

    @Test("because it is another program is reported")
    func otherProgram() async throws {
        #expect(try await code("picture", with: service(decoder: "true", folders: ["/bin"])) == .decoderUnavailable)
    }
}

@Suite("The pause before a decoder is started again")
struct RestartBackoffTests {
    @Test("is none after one crash, doubles up to five seconds, and ends with an answer")
    func pauses() {
        var backoff = RestartBackoff()
        var pauses: [Duration] = []
        for _ in 0..<12 {
            pauses.append(backoff.pause)
            backoff.decoderCrashed()
        }
        #expect(
            pauses.prefix(6) == [
                .zero, .zero, .milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(400),
            ])
        #expect(pauses.last == .seconds(5))
        backoff.decoderAnswered()
        #expect(backoff.pause == .zero)
    }
}
