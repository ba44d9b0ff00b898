// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Glibc
package import HelperProtocol

/// A source of connections to helper processes of one kind, which starts these processes.
package protocol HelperLauncher: Sendable {
    var kind: HelperKind { get }

    /// Throws `AnalysisFailure` with the remedy if the program is missing.
    func requireProgram() throws

    /// Returns a connection that no other caller uses, and blocks until its process has replied to the greeting.
    ///
    /// - Throws: `HelperProcessError` or `AnalysisFailure`.
    func connect() throws -> HelperConnection

    /// Takes back a connection that has had no request for a while.
    func retire(_ connection: HelperConnection)
}

/// Starts a decoder process for each connection.
struct DecoderLauncher: HelperLauncher {
    let kind: HelperKind
    let locator: HelperLocator
    let settings: HelperSettings

    func requireProgram() throws { _ = try locator.path() }

    func connect() throws -> HelperConnection {
        let memory = try HelperProcess.memory()
        let (process, socket) = try HelperProcess.start(path: try locator.path(), settings: settings, kind: kind)
        let greeting = HelperGreeting(process: process, settings: settings, secondsToAnswer: kind.startingSeconds)
        return try greeting.run {
            try socket.send(DecoderRequest.hello.encoded(as: 0), with: memory.descriptor)
            return HelperConnection(process, socket, memory, try greeting.identity(from: socket))
        }
    }

    func retire(_ connection: HelperConnection) { connection.kill() }
}

/// Finds the executable of a helper.
package struct HelperLocator: Sendable {
    private let folders: [String]
    private let name: String

    package init(name: String, folders: [String]) {
        self.name = name
        self.folders = folders
    }

    /// The place of the program that captures from PipeWire.
    package static func captureProgram(in folders: [String]) -> HelperLocator {
        HelperLocator(name: NodeCaptureRequest.executableName, folders: folders)
    }

    /// Returns the path of the program in the first folder that has it.
    ///
    /// - Throws: `decoderUnavailable` with the remedy.
    package func path() throws(AnalysisFailure) -> String {
        for folder in folders {
            let path = "\(folder)/\(name)"
            if unsafe access(path, X_OK) == 0 { return path }
        }
        throw AnalysisFailure(
            .decoderUnavailable,
            "The program \(name) was not found. An app names the product \(name) of the package"
                + " sensitive-content-analysis among its dependencies, which builds it beside the app;"
                + " an installation has it in libexec/sensitive-content-analysis.")
    }
}

/// The settings with which helper processes are started.
package struct HelperSettings: Sendable, Hashable {
    /// The bytes of address space that a process may add after loading its library.
    package var memoryLimit: Int
    /// Whether a helper without every layer of the sandbox is refused.
    package var requiresSandbox: Bool
    /// The layers of the sandbox that tests and measurements leave out.
    package var omittedLayers: Set<SandboxLayer> = []

    package init(memoryLimit: Int = AnalysisLimits().decoderMemory, requiresSandbox: Bool = false) {
        self.memoryLimit = memoryLimit
        self.requiresSandbox = requiresSandbox
    }

    /// The arguments of the process, in the form that `HelperOptions` reads.
    var arguments: [String] {
        [String(memoryLimit)] + omittedLayers.sorted { $0.rawValue < $1.rawValue }.map { "without=\($0.name)" }
    }
}
