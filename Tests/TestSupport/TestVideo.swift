// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import Foundation

/// Makes videos for tests with the program ffmpeg.
package enum TestVideo {
    /// Whether ffmpeg is installed.
    package static let canBeMade = program != nil

    package static let remedy = "The program ffmpeg is not installed. Run scripts/bootstrap --for test."

    /// A fast encoder, with groups of pictures of one second.
    package static let shortGroups = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25"]

    /// An expression for the brightness of harmless motion.
    package static let moving = "0.1+0.05*sin(N*X/9)"

    static let program: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
        .split(separator: ":").map { URL(fileURLWithPath: "\($0)/ffmpeg") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    private static let places = ResourcePool(maximumCount: 2) { () }

    /// Runs ffmpeg, whose last argument is the file to make, unless an earlier run with the same arguments made it.
    package static func make(_ file: URL, _ arguments: [String]) async throws {
        guard let program else { throw CocoaError(.fileNoSuchFile) }
        guard let kept = GeneratedMedia.place(of: file, program: program, arguments: arguments) else {
            return try await run(program, file, arguments)
        }
        if !kept.copy(to: file) {
            try await run(program, file, arguments)
            kept.keep(file)
        }
    }

    private static func run(_ program: URL, _ file: URL, _ arguments: [String]) async throws {
        // ffmpeg runs at the priority of the tests, because a lower priority gets almost no time on a busy machine.
        let outcome = try await places.withResource { _ in
            try await Program(executable: program, environment: ["PATH": "/usr/bin:/bin"])
                .run(["-v", "error", "-nostdin", "-y"] + arguments + [file.path])
        }
        guard outcome.exitCode == 0 else { throw Failure(words: outcome.errors) }
    }

    /// Makes a video whose frames have the brightness that an expression gives, from 0 to 1.
    ///
    /// The expression may use `T` (seconds), `N` (frames) and `X` (columns). FFmpeg evaluates it for two rows and
    /// repeats these rows, because evaluation for all rows would take most of the time.
    package static func make(
        _ file: URL, seconds: Double, brightness: String, size: String = "320x180", rate: String = "25",
        _ options: [String] = []
    ) async throws {
        try await make(
            file,
            [
                "-f", "lavfi", "-i",
                "color=black:s=\(size.prefix { $0 != "x" })x2:r=\(rate):d=\(seconds),format=yuv420p,"
                    + "geq=lum='16+219*(\(brightness))':cb=128:cr=128,"
                    + "scale=\(size.replacing("x", with: ":")):flags=neighbor,setsar=1",
            ] + options)
    }

    /// The error of a run of ffmpeg that made no file.
    package struct Failure: Error {
        package let words: String
    }
}
