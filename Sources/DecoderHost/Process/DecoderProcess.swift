// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import DecoderProtocol
internal import Dispatch

/// A decoder that has answered the greeting.
///
/// Its calls block: they belong on a thread that may wait.
final class DecoderProcess: Sendable {
    private let child: ChildProcess
    private let socket: MessageSocket
    let identity: DecoderIdentity

    /// Starts a decoder and exchanges versions with it.
    init(path: String, memoryLimit: Int) throws(DecoderProcessError) {
        let socket: MessageSocket
        let child: ChildProcess
        do {
            let ends = try MessageSocket.pair()
            socket = ends.0
            child = try ChildProcess(
                path: path, arguments: [String(memoryLimit)], environment: Self.environment, socket: ends.1)
        } catch {
            throw .cannotStart(error)
        }
        self.socket = socket
        self.child = child
        let deadline = DispatchTime.now() + .seconds(Self.startingSeconds)
        do {
            try socket.send(DecoderRequest.hello.encoded())
            let (bytes, _) = try socket.receive(within: deadline.remainingMilliseconds)
            guard let reply = try? DecoderReply(decoding: bytes), case .hello(let identity) = reply else {
                throw DecoderProcessError.differentVersion("an unknown version")
            }
            guard identity.packageVersion == PackageVersion.current else {
                throw DecoderProcessError.differentVersion(identity.packageVersion)
            }
            self.identity = identity
        } catch let error as DecoderProcessError {
            child.kill()
            throw error
        } catch let error as TransportError {
            child.kill()
            throw error == .timedOut ? .timedOut : .ended(child.ending(within: 1000))
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
        _ request: DecoderRequest, with attachment: OwnedDescriptor?, until deadline: DispatchTime
    ) throws(DecoderProcessError) -> (DecoderReply, OwnedDescriptor?) {
        let bytes: [UInt8]
        let answered: OwnedDescriptor?
        do {
            try socket.send(request.encoded(), with: attachment)
            (bytes, answered) = try socket.receive(within: deadline.remainingMilliseconds)
        } catch .closed {
            throw .ended(child.ending(within: 1000))
        } catch .timedOut {
            throw .timedOut
        } catch {
            throw .invalidAnswer
        }
        guard let reply = try? DecoderReply(decoding: bytes) else { throw .invalidAnswer }
        return (reply, answered)
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
    /// The process has ended; nil if it is still ending.
    case ended(ChildProcess.Ending?)
    case timedOut
    case invalidAnswer
}

extension DispatchTime {
    fileprivate var remainingMilliseconds: Int32 {
        let now = DispatchTime.now().uptimeNanoseconds
        guard uptimeNanoseconds > now else { return 0 }
        return Int32(clamping: (uptimeNanoseconds - now + 999_999) / 1_000_000)
    }
}
