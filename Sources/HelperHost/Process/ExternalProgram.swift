// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import HelperProtocol

/// A program of the person, such as the program of `sca watch --exec`.
///
/// It gets no descriptor but the standard ones, and no blocked signal. Its output goes to standard error.
package struct ExternalProgram: Sendable {
    private let process: ChildProcess

    /// Starts the program with the environment of this process; no shell reads the arguments.
    ///
    /// - Throws: the system call that failed, with its errno value.
    package init(path: String, arguments: [String]) throws(TransportError) {
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        process = try ChildProcess(path: path, arguments: arguments, environment: environment, descriptors: [])
    }

    /// Waits for the end of the program for at most this time, and returns whether it has ended.
    package func hasEnded(within milliseconds: Int32) -> Bool { process.ending(within: milliseconds) != nil }
}
