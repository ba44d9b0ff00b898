// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol

extension HelperConversation {
    /// Returns a file that the helper has ready, and writes to memory of its size.
    ///
    /// - Parameter request: makes the helper write the file.
    /// - Throws: `limitExceeded` if the system has no memory for the file, `HelperLie`.
    func file(_ byteCount: UInt64, _ request: some HelperRequest) async throws -> SealedMemory {
        guard byteCount > 0, byteCount <= PictureMemory.largestByteCount else { throw HelperLie() }
        let memory: PictureMemory
        do {
            memory = try PictureMemory(byteCount: Int(byteCount))
        } catch {
            throw AnalysisFailure(
                .limitExceeded, "The system has no memory for the copy. Ask for a smaller one.", cause: error)
        }
        let answer = try await exchange(request, memory: memory.descriptor)
        if case .failure(let failure) = answer.reply { throw AnalysisFailure(failure) }
        guard case .closed = answer.reply, let sealed = try? memory.sealed() else { throw HelperLie() }
        return sealed
    }
}
