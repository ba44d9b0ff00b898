// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import TestSupport
import Testing

@Suite("Videos with transparency", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct TransparentVideoTests {
    private static let encoders = [
        "png": ["-c:v", "png", "-pix_fmt", "rgba"],
        "prores": ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"],
        "vp8": ["-c:v", "libvpx", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-b:v", "300k"],
        "vp9": [
            "-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-b:v", "300k", "-deadline", "realtime", "-cpu-used", "8",
        ],
        "apng": ["-f", "apng", "-plays", "0", "-pix_fmt", "rgba"],
    ]

    /// Makes a video with the grey levels and the opacity that two expressions give, from 0 to 255.
    private static func make(_ file: URL, _ encoder: String, level: String, opacity: String) async throws {
        let colors = ["r", "g", "b"].map { "\($0)='\(level)'" }.joined(separator: ":")
        try await TestVideo.make(
            file,
            ["-f", "lavfi", "-i", "color=black:s=320x180:r=5:d=2,format=rgba,geq=\(colors):a='\(opacity)'"]
                + encoders[encoder]!)
    }

    private static func isSensitive(_ file: URL) async throws -> Bool {
        try await ScriptedAnalysis.analyze(file) { view in
            let row = view.bytes.dropFirst(view.height / 2 * view.width * 3)
            let contrast = Int(row[row.startIndex + view.width / 4 * 9]) - Int(row[row.startIndex + view.width / 4 * 3])
            return abs(contrast) > 40 ? 0.95 : 0.1
        }.isSensitive
    }

    @Test(
        "A video with transparency is judged over white, over black, and without its transparency",
        arguments: ["png", "prores", "apng", "vp8", "vp9"],
        [
            // The content shows over white, over black, or only in programs that ignore opacity.
            ("0", "if(lt(X,160),255,100)"), ("255", "if(lt(X,160),0,150)"), ("if(lt(X,160),60,200)", "0"),
        ])
    func hidden(encoder: String, picture: (level: String, opacity: String)) async throws {
        try await TestFiles.withFolder { folder in
            let extensions = ["apng": "png", "vp8": "webm", "vp9": "webm"]
            let file = folder.appendingPathComponent("a.\(extensions[encoder] ?? "mov")")
            try await Self.make(file, encoder, level: picture.level, opacity: picture.opacity)
            #expect(try await Self.isSensitive(file), "\(encoder) \(picture)")
            try await Self.make(file, encoder, level: "60", opacity: "200")
            #expect(try await !Self.isSensitive(file), "\(encoder)")
        }
    }
}
