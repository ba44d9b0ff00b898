// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Glibc
internal import HelperProtocol

/// The standard input of the command as an encoded file.
enum StandardInput {
    /// Reads all of it into sealed memory, on a thread of its own, because a read blocks until the writer is done.
    ///
    /// - Throws: `unsupportedMedia` if it is empty, `limitExceeded`, `inputUnreadable`.
    static func memory(atMost limit: Int) async throws -> SealedMemory {
        try await WorkerThread().result(of: { try read(atMost: limit) })
    }

    private static func read(atMost limit: Int) throws -> SealedMemory {
        do {
            guard let memory = try SealedMemory.contents(of: STDIN_FILENO, maximumByteCount: limit) else {
                throw AnalysisFailure(
                    .unsupportedMedia, "Standard input is empty. Check the program that writes into it.")
            }
            return memory
        } catch SealedMemoryError.tooLarge {
            throw AnalysisFailure(
                .limitExceeded,
                "Standard input has more than the limit of \(limit) bytes. Raise the limit if it can be trusted.")
        } catch TransportError.systemCall(_, let number) {
            throw AnalysisFailure(
                .inputUnreadable,
                "Standard input could not be read (error \(number)). Check the program that writes into it.")
        }
    }
}
