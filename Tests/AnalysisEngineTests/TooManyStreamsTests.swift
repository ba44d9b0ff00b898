// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Videos with many streams", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct TooManyStreamsTests {
    /// Makes a file with a number of dark streams, and a bright stream behind them.
    private static func file(
        _ name: String, others: Int, in folder: URL, _ options: [String] = TestVideo.shortGroups
    ) async throws -> URL {
        let parts = [("dark", TestVideo.moving), ("bright", "0.95")]
        for (name, brightness) in parts {
            try await TestVideo.make(
                folder.appendingPathComponent("\(name).mkv"), seconds: 1, brightness: brightness, size: "64x64",
                rate: "5",
                options)
        }
        let file = folder.appendingPathComponent(name)
        let inputs = parts.flatMap { ["-i", folder.appendingPathComponent("\($0.0).mkv").path] }
        let maps = Array(repeating: ["-map", "0:v"], count: others).flatMap { $0 } + ["-map", "1:v"]
        try await TestVideo.make(file, inputs + maps + ["-c", "copy"])
        return file
    }

    @Test(
        "The last of 64 streams is judged, and a file with more is refused by their number",
        arguments: Campaign.cases(["mp4", "mkv", "ts", "avi", "ogv"], gate: ["mp4", "mkv", "ts", "avi"]))
    func counts(container: String) async throws {
        try await TestFiles.withFolder { folder in
            let encoders = ["ogv": "libtheora", "avi": "mpeg4"]
            let options = ["-c:v", encoders[container] ?? "libx264"]
            func made(_ others: Int) async throws -> URL {
                try await Self.file("\(others).\(container)", others: others, in: folder, options)
            }
            let most = try await made(63)
            #expect(try await ScriptedAnalysis.analyze(most).isSensitive)
            for others in [64, 65, 90] {
                let file = try await made(others)
                #expect(await ScriptedAnalysis.code(file) == .limitExceeded, "\(others)")
            }
        }
    }
}
