// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Pipelines with sca watch in the middle, whose ends are other programs.
@Suite(
    .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount }, .timeLimit(.minutes(3)))
struct WatchPipelineTests {
    @Test("ffmpeg sends a stream, sca watch gates it, and ffmpeg receives no frame of the pattern") func ffmpeg()
        async throws
    {
        try await TestFiles.withFolder { folder in
            // Insertions of one, two and five frames at ten frames a second.
            let insertions = [12..<13, 52..<54, 80..<85]
            var stream = try await WatchCommandTests.stream(frames: 12)
            for index in 12..<100 {
                let isInserted = insertions.contains { $0.contains(index) }
                let frame = try await WatchCommandTests.stream(frames: 1, pattern: isInserted ? 0..<1 : 0..<0)
                stream += frame[(frame.firstIndex(of: UInt8(ascii: "\n"))! + 1)...]
            }
            let (raw, file) = (folder.appendingPathComponent("raw.y4m"), folder.appendingPathComponent("stream.ts"))
            let received = folder.appendingPathComponent("received.gray")
            try stream.write(to: raw)
            try await TestVideo.make(
                file,
                [
                    "-i", raw.path, "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "10", "-f",
                    "mpegts",
                ])
            var shell = Program.sca
            let sca = shell.executable.path
            shell.executable = URL(fileURLWithPath: "/bin/bash")
            shell.environment["SCA_TEST_MODE"] = "1"
            shell.environment["PATH"] = "/usr/bin:/bin"
            let ffmpeg = "ffmpeg -v error -nostdin"
            let outcome = try await shell.run([
                "-o", "pipefail", "-c",
                "\(ffmpeg) -re -i '\(file.path)' -c copy -f mpegts pipe:1 | '\(sca)' watch --output - --delay 1 - |"
                    + " ffmpeg -v error -f yuv4mpegpipe -i pipe:0 -pix_fmt gray -f rawvideo '\(received.path)'",
            ])
            #expect(outcome.exitCode == 1, "\(outcome.errors)")
            let bytes = [UInt8](try Data(contentsOf: received))
            let size = 320 * 240
            let frames = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min(bytes.count, $0 + size)] }
            #expect(bytes.count % size == 0 && (95...103).contains(frames.count))
            let ofPattern = WatchCommandTests.edgeCount([UInt8](try await WatchCommandTests.patternLuma())[...])
            #expect(frames.allSatisfy { WatchCommandTests.edgeCount($0) < ofPattern / 4 })
            // A finding covers two seconds and the frames in the gate; the rest is shown.
            let shown = frames.count { $0.max()! <= 148 && $0.min()! >= 48 && WatchCommandTests.edgeCount($0) < 240 }
            #expect(shown >= 10, "\(shown) of \(frames.count)")
        }
    }
}
