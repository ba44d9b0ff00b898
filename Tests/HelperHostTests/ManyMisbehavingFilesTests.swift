// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Very many files that make decoders misbehave")
struct ManyMisbehavingFilesTests {
    /// An instruction, and the code of the failure that it must cause; nil if it must return a picture.
    private struct Instruction {
        let words: String
        let code: AnalysisFailure.Code?
        var isFilm = false
    }

    private static let instructions: [Instruction] = {
        typealias Instructions = PuppetInstructions
        let failing = Instructions.crashes + Instructions.effects + Instructions.lies
        var all = failing.map { Instruction(words: $0, code: .decoderFailed) }
        all += Instructions.hangs.map { Instruction(words: $0, code: .timedOut) }
        all += ["open /etc/passwd", "create /tmp/sca-made-by-a-decoder"].map {
            Instruction(words: $0, code: .malformedMedia)
        }
        all += (Instructions.furtherAnswers + ["damaged"]).map { Instruction(words: $0, code: nil) }
        all.append(Instruction(words: "nonsense", code: .unsupportedMedia))
        all += Instructions.filmLies.map { Instruction(words: $0, code: .decoderFailed, isFilm: true) }
        all.append(Instruction(words: "hang-later", code: .timedOut, isFilm: true))
        if Requirements.hasMemoryLimit {
            all.append(Instruction(words: "allocate", code: .limitExceeded))
        } else {
            print("SKIPPED: allocate. \(Requirements.memoryLimitRemedy)")
        }
        return all
    }()

    /// The number of files if `IntegrationTests/test-misbehaving-decoder` runs this test alone; nil otherwise.
    private static let wishedCount = ProcessInfo.processInfo.environment["SCA_MISBEHAVING_FILES"].flatMap { Int($0) }

    @Test("Misbehaving files in random order end in their codes, spoil no other file and leave nothing behind")
    func randomOrder() async throws {
        let seed = UInt64.random(in: .min ... .max)
        let count = Self.wishedCount ?? 60
        print("\(count) files, seed \(seed)")
        try await TestFiles.withFolder { folder in
            // The copy's processes can be told from the processes of other tests.
            let copy = folder.appendingPathComponent("decoder")
            try await Program.copy("TestDecoder", to: copy)
            let decoder = copy.path
            // The first run creates the resources that the host creates only once.
            await Self.run(2, seed: seed, folder: folder.path)
            _ = try await Leftovers.settled(ofDecoder: decoder)
            let before = try Leftovers(ofDecoder: decoder)
            await Self.run(count, seed: seed, folder: folder.path)
            let after = try await Leftovers.settled(ofDecoder: decoder)
            #expect(after.processes.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: "/tmp/sca-made-by-a-decoder"))
            // Tests that run at the same time have their own descriptors and memory, so these counts need a test alone.
            if Self.wishedCount != nil {
                #expect(after.descriptorCount <= before.descriptorCount)
                #expect(after.sharedMemoryCount <= before.sharedMemoryCount)
                #expect(after.temporaryFiles == before.temporaryFiles)
                let growth = after.residentKilobytes - before.residentKilobytes
                print("the host has grown by \(growth) KiB")
                #expect(growth < 64 << 10)
            }
        }
    }

    private static func run(_ count: Int, seed: UInt64, folder: String) async {
        // Beside other tests, decoders are slow, so the time limit is longer: a slow answer must not count as a hang.
        let timeLimit = wishedCount == nil ? Duration.seconds(2) : .milliseconds(200)
        let hanging = PuppetService(decoder: "decoder", folders: [folder], count: 2, timeLimit: timeLimit)
        let good = hanging.with(timeLimit: .seconds(10))
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<2 {
                group.addTask {
                    var random = SplitMix64(state: seed &+ UInt64(lane))
                    for _ in 0..<(count / 2) {
                        guard let instruction = instructions.randomElement(using: &random) else { return }
                        let words = instruction.words
                        let bad = instruction.code == .timedOut ? hanging : good
                        await #expect(throws: Never.self) {
                            let start = ContinuousClock.now
                            let outcome =
                                instruction.isFilm
                                ? try await bad.code(ofFilm: words) : try await bad.code(words)
                            let time = ContinuousClock.now - start
                            #expect(outcome == instruction.code, "\(words)")
                            // There are two attempts; each has a start of a decoder and a pause before the start.
                            if wishedCount != nil { #expect(time < timeLimit * 2 + .seconds(1), "\(words)") }
                            let next = try await good.decode("picture")
                            #expect(next.views.count == 1, "after \(words)")
                        }
                    }
                }
            }
        }
    }
}

/// The resources that decoders could leave behind.
private struct Leftovers {
    let processes: [String]
    let descriptorCount: Int
    let sharedMemoryCount: Int
    let temporaryFiles: Set<String>
    let residentKilobytes: Int

    init(ofDecoder path: String) throws {
        let files = FileManager.default
        func entries(_ folder: String) -> [String] { (try? files.contentsOfDirectory(atPath: folder)) ?? [] }
        processes = entries("/proc").filter { Int($0) != nil }.filter { process in
            (try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe"))?.hasPrefix(path) == true
        }
        descriptorCount = entries("/proc/self/fd").count
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        sharedMemoryCount = maps.split(separator: "\n").count { $0.contains("memfd:sca") }
        temporaryFiles = Set(entries("/dev/shm") + entries("/tmp").filter { $0.contains("sca") })
        residentKilobytes = try TestSupport.residentKilobytes()
    }

    /// Returns the remaining resources, after decoders without a host have had time to end.
    static func settled(ofDecoder path: String) async throws -> Leftovers {
        for _ in 0..<400 {
            let leftovers = try Leftovers(ofDecoder: path)
            if leftovers.processes.isEmpty { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        // The host notices the end of a process by its descriptor a moment later.
        try await Task.sleep(for: .milliseconds(200))
        return try Leftovers(ofDecoder: path)
    }
}
