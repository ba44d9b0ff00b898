// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HelperProtocol
internal import HelperService

/// The main program of the model's process.
package enum ModelRunnerProgram {
    /// Serves the host until the end of the process.
    package static func run() -> Never {
        HelperProgram.runWithThreads { socket, limitMemory in
            let intake = try RunnerIntake(socket)
            do {
                return try LoadedRunner(intake, limitMemory: limitMemory)
            } catch let failure as ModelFailure {
                try socket.send(HelperReply.modelFailure(failure).encoded(answering: 0))
                _exit(0)
            }
        } sockets: {
            $0.sockets
        } serving: { runner, sandbox in
            runner.serve(sandbox)
        }
    }
}
