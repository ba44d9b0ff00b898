// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SensitiveContentAnalysis

// An app that ends, or forks, while analyses are under way: ExitProbe exit MILLISECONDS FILE, ExitProbe fork COUNT FILE.

let arguments = CommandLine.arguments
guard arguments.count == 4, let number = Int(arguments[2]) else { exit(64) }
let file = URL(fileURLWithPath: arguments[3])
SCSensitivityAnalyzer.defaultConfiguration.demandedPolicy = .simpleInterventions
let analyzer = SCSensitivityAnalyzer()

/// Calls fork, which Swift does not offer.
func forkProcess() -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    return unsafe unsafeBitCast(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"), to: Fork.self)()
}

switch arguments[1] {
case "exit":
    for _ in 0..<4 { Task { _ = try? await analyzer.analyzeImage(at: file) } }
    usleep(UInt32(number) * 1000)
    // More than a pipe's reader takes at once, and still in the buffer of the C library when the process ends.
    for line in 0..<1000 { print("line \(line)") }
    exit(7)
case "fork":
    _ = try await analyzer.analyzeImage(at: file)
    for count in 0..<number {
        // With an analysis under way every other time.
        if count % 2 == 1 { Task { _ = try? await analyzer.analyzeImage(at: file) } }
        let start = ContinuousClock.now
        let child = forkProcess()
        if child == 0 {
            do {
                _ = try await analyzer.analyzeImage(at: file)
                _exit(1)
            } catch let error as SensitivityAnalysisError {
                _exit(error.code == .internalFailure ? 0 : 2)
            } catch {
                _exit(3)
            }
        }
        var status: Int32 = 0
        while waitpid(child, &status, WNOHANG) == 0 {
            guard ContinuousClock.now - start < .seconds(10) else {
                kill(child, SIGKILL)
                break
            }
            usleep(500)
        }
        print(status, Int((ContinuousClock.now - start) / .milliseconds(1)))
    }
    // The parent goes on as before.
    _ = try await analyzer.analyzeImage(at: file)
    print("done")
default: exit(64)
}
