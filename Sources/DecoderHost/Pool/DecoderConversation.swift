// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import DecoderProtocol

/// One decoder for as long as its user needs it, and the input that it is about.
package struct DecoderConversation: Sendable {
    private let worker: DecoderWorker
    private let input: OwnedDescriptor
    /// How long the decoder may take for each answer.
    let timeLimit: Duration

    init(_ worker: DecoderWorker, input: OwnedDescriptor, timeLimit: Duration) {
        self.worker = worker
        self.input = input
        self.timeLimit = timeLimit
    }

    /// Has the decoder answer a request.
    ///
    /// - Parameter attachesInput: whether the request is the one that hands the input over.
    /// - Throws: what ends the conversation; it is held again or given up by the pool.
    package func exchange(
        _ request: DecoderRequest, attachesInput: Bool = false
    ) async throws -> (DecoderReply, OwnedDescriptor?) {
        try await worker.exchange(request, with: attachesInput ? input : nil, timeLimit: timeLimit)
    }
}
