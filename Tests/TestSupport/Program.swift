// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import Glibc

/// A program that a test runs.
package struct Program {
    package var executable: URL
    package var environment: [String: String]

    package init(executable: URL, environment: [String: String]) {
        self.executable = executable
        self.environment = environment
    }

    /// The command `sca` that was built with the tests.
    ///
    /// It gets no settings of the person who runs the tests: no home folder, language, models or test mode. It uses the
    /// default model and OpenVINO that the tests have found.
    package static var sca: Program {
        let personal = ["HOME", "LANG", "LC_", "SCA_", "XDG_"]
        var environment = ProcessInfo.processInfo.environment.filter { variable in
            !personal.contains { variable.key.hasPrefix($0) }
        }
        environment["XDG_CACHE_HOME"] = TestFiles.cache.path
        environment["SCA_MODELS"] = Requirements.modelFolder
        environment["SCA_OPENVINO"] = Requirements.inferenceFolder
        return Program(executable: TestFiles.products.appendingPathComponent("sca"), environment: environment)
    }

    package struct Outcome: Sendable {
        package let exitCode: Int32
        package let output: Data
        package let errors: String

        package var text: String { String(decoding: output, as: UTF8.self) }
        package var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    /// Runs the program to its end.
    ///
    /// - Parameter input: the data on the standard input; nil for no data.
    package func run(_ arguments: [String], input: Data? = nil) async throws -> Outcome {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let source = input.map { _ in Pipe() }
        process.standardInput = source ?? FileHandle(forReadingAtPath: "/dev/null")
        return try await withCheckedThrowingContinuation { continuation in
            // Reading a pipe blocks, so each pipe has a thread; a full pipe would block the program.
            Thread.detachNewThread {
                do {
                    try process.run()
                    if let source, let input {
                        Thread.detachNewThread {
                            try? source.fileHandleForWriting.write(contentsOf: input)
                            try? source.fileHandleForWriting.close()
                        }
                    }
                    let collector = ErrorCollector(errors.fileHandleForReading)
                    let data = try output.fileHandleForReading.everything()
                    process.waitUntilExit()
                    continuation.resume(
                        returning: Outcome(
                            exitCode: process.terminationStatus, output: data, errors: collector.text()))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Copies a program that was built with the tests, so that a test can start the copy at once.
    ///
    /// Another process writes the copy, because Linux starts no program that is open for writing (ETXTBSY). Programs
    /// that other tests start meanwhile would inherit the open file from this process.
    package static func copy(_ name: String, to path: URL) async throws {
        let copying = Program(executable: URL(fileURLWithPath: "/bin/cp"), environment: [:])
        let outcome = try await copying.run([TestFiles.products.appendingPathComponent(name).path, path.path])
        guard outcome.exitCode == 0 else { throw CopyFailure(message: outcome.errors) }
    }

    private struct CopyFailure: Error {
        let message: String
    }
}

/// Reads standard error while standard output is read elsewhere.
private final class ErrorCollector: @unchecked Sendable {
    // @unchecked: the data is written before the semaphore is signalled, and read after the wait for the semaphore.

    private var data = Data()
    private let done = DispatchSemaphore(value: 0)

    init(_ handle: FileHandle) {
        Thread.detachNewThread {
            self.data = (try? handle.everything()) ?? Data()
            self.done.signal()
        }
    }

    func text() -> String {
        done.wait()
        return String(decoding: data, as: UTF8.self)
    }
}

extension FileHandle {
    /// Reads all data until the end of the file; unlike Foundation's function, it continues after a signal.
    fileprivate func everything() throws -> Data {
        var data = Data()
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(fileDescriptor, &piece, piece.count)
            if count > 0 {
                data.append(contentsOf: piece.prefix(count))
            } else if count == 0 {
                return data
            } else if errno != EINTR {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
    }
}
