// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
package import HelperProtocol

/// A connection to a helper process that has replied to the greeting, with one request at a time.
///
/// Its functions block, so they must be called on a thread that may wait.
package final class HelperConnection: Sendable {
    private let process: HelperProcess
    private let socket: MessageSocket
    private let memory: PixelMemory
    package let identity: HelperIdentity

    init(_ process: HelperProcess, _ socket: MessageSocket, _ memory: PixelMemory, _ identity: HelperIdentity) {
        self.process = process
        self.socket = socket
        self.memory = memory
        self.identity = identity
    }

    /// Sends a request and waits for its reply.
    ///
    /// - Parameters:
    ///   - views: the pixels that the model scores, which are written to the shared memory before the request.
    ///   - limit: the longest time for which the helper may work on the reply.
    func exchange(
        _ request: any HelperRequest, with attachment: OwnedDescriptor?, views: [PixelImage] = [],
        within limit: Duration, givingWay watch: AnswerWatch?
    ) throws(HelperProcessError) -> HelperAnswer {
        // A reply that is there before the request belongs to an earlier file.
        guard !socket.isReadable else { throw process.ending().map { .ended($0) } ?? .unaskedAnswer }
        guard views.isEmpty || memory.write(views) else { throw .tooManyPixels }
        var clock = WorkClock(limit: limit, processorTime: { self.process.processorTime })
        let serial = UInt64.random(in: .min ... .max)
        let bytes: [UInt8]
        let answered: OwnedDescriptor?
        do {
            try socket.send(request.encoded(as: serial), with: attachment)
            (bytes, answered) = try receive(within: &clock, givingWay: watch)
        } catch .closed {
            throw .ended(process.endingAfterClosing())
        } catch .timedOut {
            guard clock.remainingMilliseconds() <= 0 else { throw .gaveWay }
            throw process.isStopped ? .stopped : .timedOut
        } catch .systemCall(_, let number) where HelperProcessError.shortages.contains(number) {
            throw .hostShortage(number)
        } catch {
            throw .invalidAnswer
        }
        guard answered == nil, let reply = try? HelperReply(decoding: bytes),
            let answer = try? MessageHeader(of: bytes)
        else { throw .invalidAnswer }
        guard answer.serial == serial else { throw .unaskedAnswer }
        return HelperAnswer(reply: reply, memory: memory, work: clock.spent)
    }

    /// Waits for a reply, and throws `timedOut` at the limit, or earlier if the watch says to stop waiting.
    private func receive(
        within clock: inout WorkClock, givingWay watch: AnswerWatch?
    ) throws(TransportError) -> ([UInt8], OwnedDescriptor?) {
        let interval = watch.map { Int32(clamping: max(1, $0.interval.microseconds / 1000)) } ?? .max
        while true {
            let rest = clock.remainingMilliseconds()
            do {
                return try socket.receive(within: min(interval, rest))
            } catch .timedOut where rest > 0 && watch?.mustGiveWay() != true {
                continue
            } catch {
                throw error
            }
        }
    }

    /// Whether the connection leads to this process.
    func leads(to process: HelperProcess) -> Bool { self.process === process }

    /// Ends the process, and with it all connections to it.
    func kill() {
        process.kill()
    }
}
