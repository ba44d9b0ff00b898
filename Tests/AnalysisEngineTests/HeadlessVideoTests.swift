// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

/// Some players show the frames before the first key frame of a stream, and others leave them out.
@Suite("Videos that do not begin with a key frame", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct HeadlessVideoTests {
    /// Makes a film that begins with frames that depend on a key frame which is not there; the next one comes in time.
    private static func make(_ file: URL, brightness: String) async throws {
        let stream = file.deletingLastPathComponent().appendingPathComponent("whole.h264")
        try await TestVideo.make(
            stream, seconds: 2, brightness: brightness,
            [
                "-c:v", "libx264", "-bf", "0", "-sc_threshold", "0", "-x264-params", "weightp=0", "-force_key_frames",
                "0.4", "-bsf:v",
                "filter_units=remove_types=6",
            ])
        let headless = file.deletingLastPathComponent().appendingPathComponent("headless.h264")
        try withoutFirstKeyFrame(try Data(contentsOf: stream)).write(to: headless)
        try await TestVideo.make(file, ["-f", "h264", "-r", "25", "-i", headless.path, "-c", "copy", "-copyinkf"])
    }

    /// Returns a stream of H.264 without the units of its first IDR picture.
    private static func withoutFirstKeyFrame(_ stream: Data) -> Data {
        let bytes = [UInt8](stream)
        let starts = bytes.indices.dropLast(3).filter { bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1 }
        var result = Data()
        var hasPassed = false
        for (start, end) in zip(starts, starts.dropFirst() + [bytes.count]) {
            let kind = bytes[start + 3] & 31
            if kind == 5, !hasPassed { continue }
            hasPassed = hasPassed || kind == 1
            result += [0] + bytes[start..<end]
        }
        return result
    }

    private static func isSensitive(_ file: URL, _ preset: SamplingPreset) async throws -> Bool {
        let request = AnalysisRequest(policy: .simple, options: MediaOptions(preset: preset))
        let engine = AnalysisEngineTests.engine { AnalysisEngineTests.brightness($0) > 0.6 ? 0.95 : 0 }
        return try await engine.analyzeMedia(request) { .file(path: file.path) }.get().isSensitive
    }

    @Test(arguments: ["a.mkv", "a.ts"], [SamplingPreset.fast, .balanced, .thorough])
    func `Frames before the first key frame are judged`(name: String, preset: SamplingPreset) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent(name)
            // The frames behind the missing one are coded by themselves, since nothing in them is like it.
            try await Self.make(file, brightness: "if(between(N,1,9),0.9,0.1+0.05*(X/W))")
            #expect(try await Self.isSensitive(file, preset))
            try await Self.make(file, brightness: "0.1+0.05*(X/W)")
            #expect(try await !Self.isSensitive(file, preset))
        }
    }
}
