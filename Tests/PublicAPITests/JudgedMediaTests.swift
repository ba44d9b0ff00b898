// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite(
    "Judged images and copies in the public interface",
    .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
struct JudgedMediaTests {
    init() throws { try MachinePolicy.ignore() }

    private static let analyzer = SCSensitivityAnalyzer(
        configuration: SCSensitivityAnalyzer.Configuration(demandedPolicy: .simpleInterventions))
    private static let picture = TestFiles.fixtures.appendingPathComponent("plain/plain.jpg")

    /// Returns the code of the error; nil if there is none.
    private static func code(_ body: () async throws -> Void) async -> SensitivityAnalysisError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SensitivityAnalysisError)?.code
        }
    }

    @Test func `The pixels of a judged image are readable, and are judged alike once more`() async throws {
        let judged = try await Self.analyzer.judgedImage(at: Self.picture)
        #expect((judged.image.width, judged.image.height) == (320, 240))
        #expect(judged.image.pixelFormat == .rgb24 && judged.image.pixels.count == 320 * 240 * 3)
        #expect(judged.originalSize == (320, 240) && !judged.isDamaged && !judged.analysis.isSensitive)
        #expect(try await Self.analyzer.analyzeImage(judged.image).score == judged.analysis.score)
        let small = try await Self.analyzer.judgedImage(data: Data(contentsOf: Self.picture), maximumPixelSize: 80)
        #expect((small.image.width, small.image.height) == (80, 60) && small.originalSize == (320, 240))
    }

    @Test func `A judged image outlives its analyzer, and returns its memory`() async throws {
        func pixels() async throws -> Data {
            try await SCSensitivityAnalyzer(configuration: .init(demandedPolicy: .simpleInterventions))
                .judgedImage(at: Self.picture, maximumPixelSize: 311).image.pixels
        }
        let first = try await pixels()
        #expect(first.reduce(0) { $0 + Int($1) } > 0)
        let before = try Self.mappedPictureCount()
        for _ in 0..<20 { _ = try await pixels() }
        #expect(try Self.mappedPictureCount() <= before)
        #expect(first == (try await pixels()))
    }

    @Test func `The frames of an animation are given out with their times, as often as they are read`() async throws {
        let file = TestFiles.fixtures.appendingPathComponent("several/animated.gif")
        let frames = try await Self.analyzer.judgedFrames(of: file)
        #expect(!frames.analysis.isSensitive && frames.count == 3 && !frames.isDamaged)
        for _ in 0..<2 {
            var end = Duration.zero
            var count = 0
            for try await frame in frames {
                #expect(frame.time == end && frame.duration > .zero)
                #expect((frame.image.width, frame.image.height) == frames.size)
                end = frame.time + frame.duration
                count += 1
            }
            #expect(count == frames.count && end == frames.duration)
        }
        let small = try await Self.analyzer.judgedFrames(of: Data(contentsOf: file), maximumPixelSize: 16)
        #expect(max(small.size.width, small.size.height) == 16 && small.count == 3)
    }

    @Test func `Frames that nobody can give out have an error with its code`() async throws {
        let file = TestFiles.fixtures.appendingPathComponent("several/animated.gif")
        #expect(
            await Self.code { _ = try await Self.analyzer.judgedFrames(of: file, maximumDuration: .milliseconds(1)) }
                == .limitExceeded)
        #expect(
            await Self.code { _ = try await Self.analyzer.judgedFrames(of: file, maximumPixelSize: 0) }
                == .invalidArgument)
        #expect(
            await Self.code { _ = try await Self.analyzer.judgedFrames(of: Data("not media".utf8)) }
                == .unsupportedMedia)
        let remote = try #require(URL(string: "https://example.org/a.gif"))
        #expect(await Self.code { _ = try await Self.analyzer.judgedFrames(of: remote) } == .invalidArgument)
        let missing = URL(fileURLWithPath: "/nowhere/a.gif")
        #expect(await Self.code { _ = try await Self.analyzer.judgedFrames(of: missing) } == .inputUnreadable)
    }

    /// The number of mappings of memory for pictures of 311 × 233 pixels in this process; other tests have other sizes.
    private static func mappedPictureCount() throws -> Int {
        let length = (311 * 233 * 3 + 4095) / 4096 * 4096
        return try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
            .count { line in
                let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
                return line.contains("sca-picture") && bounds.count == 2 && bounds[1] - bounds[0] == length
            }
    }

    @Test func `Nothing is given out under a disabled policy`() async throws {
        let analyzer = SCSensitivityAnalyzer(configuration: .init(demandedPolicy: .disabled))
        try #require(analyzer.analysisPolicy == .disabled)
        try await TestFiles.withFolder { folder in
            let copy = folder.appendingPathComponent("copy.png")
            #expect(
                await Self.code { _ = try await analyzer.judgedImage(at: Self.picture) } == .analysisDisabled)
            #expect(
                await Self.code { _ = try await analyzer.judgedFrames(of: Self.picture) } == .analysisDisabled)
            #expect(
                await Self.code {
                    _ = try await analyzer.judgedCopy(of: Self.picture, to: copy, afterPersonsChoice: true)
                } == .analysisDisabled)
            #expect(!FileManager.default.fileExists(atPath: copy.path))
        }
    }

    @Test func `A copy is a new private file, and replaces none`() async throws {
        try await TestFiles.withFolder { folder in
            for format in SCSensitivityAnalyzer.CopyFormat.allCases {
                let copy = folder.appendingPathComponent("copy \(format)")
                let options = SCSensitivityAnalyzer.CopyOptions(
                    format: format, quality: 80, maximumPixelSize: 100, background: (1, 2, 3))
                let analysis = try await Self.analyzer.judgedCopy(of: Self.picture, to: copy, options: options)
                #expect(!analysis.isSensitive)
                var status = stat()
                #expect(unsafe stat(copy.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
                // A film has an even number of rows.
                let size = try await Self.analyzer.judgedFrames(of: copy).size
                #expect(size == (100, format == .mp4 ? 76 : 75))
                let before = try Data(contentsOf: copy)
                let error = try await #require(throws: SensitivityAnalysisError.self) {
                    _ = try await Self.analyzer.judgedCopy(of: Self.picture, to: copy)
                }
                #expect(error.code == .outputUnwritable && error.message.contains("already"))
                #expect(try Data(contentsOf: copy) == before)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
        }
    }

    @Test(arguments: ["missing/copy.png", "link.png", ""])
    func `A copy that cannot be placed leaves nothing`(name: String) async throws {
        try await TestFiles.withFolder { folder in
            let link = folder.appendingPathComponent("link.png")
            try FileManager.default.createSymbolicLink(
                at: link, withDestinationURL: folder.appendingPathComponent("elsewhere.png"))
            let target = name.isEmpty ? folder : folder.appendingPathComponent(name)
            let error = try await #require(throws: SensitivityAnalysisError.self) {
                _ = try await Self.analyzer.judgedCopy(of: Self.picture, to: target)
            }
            #expect(error.code == .outputUnwritable)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["link.png"])
        }
    }

    @Test func `Arguments that mean nothing are refused`() async throws {
        try await TestFiles.withFolder { folder in
            let copy = folder.appendingPathComponent("copy.png")
            let (analyzer, picture) = (Self.analyzer, Self.picture)
            #expect(
                await Self.code { _ = try await analyzer.judgedImage(at: picture, maximumPixelSize: 0) }
                    == .invalidArgument)
            #expect(
                await Self.code {
                    _ = try await analyzer.judgedCopy(of: picture, to: copy, options: .init(format: .jpeg, quality: 0))
                } == .invalidArgument)
            let remote = try #require(URL(string: "https://example.org/a.png"))
            #expect(await Self.code { _ = try await analyzer.judgedImage(at: remote) } == .invalidArgument)
            #expect(await Self.code { _ = try await analyzer.judgedCopy(of: picture, to: remote) } == .invalidArgument)
        }
    }
}
