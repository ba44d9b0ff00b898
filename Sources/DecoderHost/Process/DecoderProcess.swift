// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import DecoderProtocol
internal import Dispatch
internal import Glibc

/// A decoder that has answered the greeting.
///
/// Its calls block: they belong on a thread that may wait.
final class DecoderProcess: Sendable {
    private let child: ChildProcess
    private let socket: MessageSocket
    private let memory: PixelMemory
    let identity: DecoderIdentity

    /// Starts a decoder and exchanges versions with it.
    init(path: String, settings: DecoderSettings) throws(DecoderProcessError) {
        let socket: MessageSocket
        let memory: PixelMemory
        let child: ChildProcess
        do {
            let ends = try MessageSocket.pair()
            socket = ends.0
            memory = try PixelMemory()
            child = try ChildProcess(
                path: path, arguments: settings.arguments, environment: Self.environment, socket: ends.1)
        } catch {
            throw .cannotStart(error)
        }
        self.socket = socket
        self.memory = memory
        self.child = child
        let deadline = DispatchTime.now() + .seconds(Self.startingSeconds)
        do {
            try socket.send(DecoderRequest.hello.encoded(as: 0), with: memory.descriptor)
            let (bytes, _) = try socket.receive(within: deadline.remainingMilliseconds)
            guard let reply = try? DecoderReply(decoding: bytes), case .hello(let identity) = reply else {
                throw DecoderProcessError.differentVersion("an unknown version")
            }
            guard identity.packageVersion == PackageVersion.current else {
                throw DecoderProcessError.differentVersion(identity.packageVersion)
            }
            let missing = identity.sandbox.missingLayers
            if settings.requiresSandbox, !missing.isEmpty { throw DecoderProcessError.lacksLayers(missing) }
            self.identity = identity
        } catch let error as DecoderProcessError {
            child.kill()
            throw error
        } catch let error as TransportError {
            child.kill()
            throw error == .timedOut ? .timedOut : .ended(child.endingAfterClosing())
        } catch {
            child.kill()
            throw .invalidAnswer
        }
    }

    deinit {
        // A decoder without work also ends by itself, when it sees its socket closed.
        child.kill()
    }

    /// Sends a request and waits for its answer.
    func exchange(
        _ request: DecoderRequest, with attachment: OwnedDescriptor?, until deadline: DispatchTime,
        givingWay watch: AnswerWatch?
    ) throws(DecoderProcessError) -> DecoderAnswer {
        // What nobody has asked for is about another file.
        guard !socket.isReadable else { throw child.ending(within: 0).map { .ended($0) } ?? .unaskedAnswer }
        let serial = UInt64.random(in: .min ... .max)
        let bytes: [UInt8]
        let answered: OwnedDescriptor?
        do {
            try socket.send(request.encoded(as: serial), with: attachment)
            (bytes, answered) = try receive(until: deadline, givingWay: watch)
        } catch .closed {
            throw .ended(child.endingAfterClosing())
        } catch .timedOut {
            throw deadline.remainingMilliseconds > 0 ? .gaveWay : .timedOut
        } catch .systemCall(_, let number) where DecoderProcessError.shortages.contains(number) {
            throw .hostShortage(number)
        } catch {
            throw .invalidAnswer
        }
        guard answered == nil, let reply = try? DecoderReply(decoding: bytes),
            let answer = try? MessageHeader(of: bytes)
        else { throw .invalidAnswer }
        guard answer.serial == serial else { throw .unaskedAnswer }
        return DecoderAnswer(reply: reply, memory: memory)
    }

    /// - Throws: `timedOut` at the deadline, or before where the watch says so.
    private func receive(
        until deadline: DispatchTime, givingWay watch: AnswerWatch?
    ) throws(TransportError) -> ([UInt8], OwnedDescriptor?) {
        guard let watch else { return try socket.receive(within: deadline.remainingMilliseconds) }
        while true {
            let interval = Int32(clamping: max(1, watch.interval.microseconds / 1000))
            do {
                return try socket.receive(within: min(interval, deadline.remainingMilliseconds))
            } catch .timedOut where deadline.remainingMilliseconds > 0 && !watch.mustGiveWay() {
                continue
            } catch {
                throw error
            }
        }
    }

    func kill() {
        child.kill()
    }

    /// Nothing of the host's.
    ///
    /// Swift's own crash reports would take seconds and read memory that hostile media has shaped.
    private static let environment = ["LC_ALL=C", "SWIFT_BACKTRACE=enable=no"]

    /// Much longer than any start takes; a loaded machine must not look like a missing decoder.
    private static let startingSeconds = 20
}

/// Why a decoder has given no usable answer.
enum DecoderProcessError: Error, Sendable, Equatable {
    case cannotStart(TransportError)
    case differentVersion(String)
    case lacksLayers([SandboxLayer])
    /// The process has ended; nil if it is still ending.
    case ended(ChildProcess.Ending?)
    case timedOut
    /// It has taken long, and others wait.
    case gaveWay
    case invalidAnswer
    /// An answer to something else, perhaps to what was asked for the file before.
    case unaskedAnswer
    /// The system does not give the host what it needs to ask; no fault of the file. With the errno value.
    case hostShortage(Int32)

    static let shortages = [EMFILE, ENFILE, EAGAIN, ENOMEM, ENOBUFS, ETOOMANYREFS]

    /// The errno value, where the system has no more to give.
    var shortage: Int32? {
        switch self {
        case .hostShortage(let number): number
        case .cannotStart(.systemCall(_, let number)) where Self.shortages.contains(number): number
        default: nil
        }
    }
}

/// What a decoder has answered; neither the words nor the pixels are to be believed.
package struct DecoderAnswer: Sendable {
    package let reply: DecoderReply
    /// Where the decoder has written the views of a picture, until the next request.
    package let memory: PixelMemory
}

extension DispatchTime {
    fileprivate var remainingMilliseconds: Int32 {
        let now = DispatchTime.now().uptimeNanoseconds
        guard uptimeNanoseconds > now else { return 0 }
        return Int32(clamping: (uptimeNanoseconds - now + 999_999) / 1_000_000)
    }
}
