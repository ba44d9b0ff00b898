// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLinuxShims
package import FileAccess
internal import Glibc

/// One end of a connection between host and helper, which carries whole messages and file descriptors.
package final class MessageSocket: Sendable {
    package let descriptor: OwnedDescriptor

    package init(_ descriptor: OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// The descriptor's number, for starting a process with it.
    package var number: Int32 { descriptor.number }

    /// Creates the two connected ends of a new connection, both closed on exec.
    package static func pair() throws(TransportError) -> (MessageSocket, MessageSocket) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .systemCall("socketpair", errno) }
        return (MessageSocket(OwnedDescriptor(ends[0])), MessageSocket(OwnedDescriptor(ends[1])))
    }

    /// Sends a message, with a copy of the descriptor if there is one.
    package func send(_ bytes: [UInt8], with attachment: OwnedDescriptor? = nil) throws(TransportError) {
        let error = unsafe bytes.withUnsafeBytes { buffer in
            unsafe CLinuxShims_send(descriptor.number, buffer.baseAddress, buffer.count, attachment?.number ?? -1)
        }
        switch error {
        case 0: return
        case EPIPE, ECONNRESET: throw .closed
        default: throw .systemCall("sendmsg", error)
        }
    }

    /// Waits for a message.
    ///
    /// - Parameter milliseconds: the longest wait; -1 waits without a limit.
    /// - Throws: `closed` if the other end is closed, `timedOut` if no message comes.
    package func receive(within milliseconds: Int32) throws(TransportError) -> ([UInt8], OwnedDescriptor?) {
        try waitUntilReadable(within: milliseconds)
        var attachment: Int32 = -1
        var bytes = [UInt8](repeating: 0, count: Self.maximumMessageLength)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe CLinuxShims_receive(descriptor.number, buffer.baseAddress, buffer.count, &attachment)
        }
        let owned = attachment >= 0 ? OwnedDescriptor(attachment) : nil
        switch count {
        case 0, -Int(ECONNRESET): throw .closed
        case ..<0: throw .systemCall("recvmsg", Int32(-count))
        default: return (Array(bytes.prefix(count)), owned)
        }
    }

    /// Whether `receive` would not wait, because a message is there or the other end is closed.
    package var isReadable: Bool {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) != 0
    }

    private func waitUntilReadable(within milliseconds: Int32) throws(TransportError) {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        var clockStart = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &clockStart)
        var remaining = milliseconds
        while true {
            let ready = unsafe poll(&entry, 1, remaining)
            if ready > 0 { return }
            if ready == 0 { throw .timedOut }
            guard errno == EINTR else { throw .systemCall("poll", errno) }
            if milliseconds >= 0 {
                var now = timespec()
                unsafe clock_gettime(CLOCK_MONOTONIC, &now)
                let passed =
                    (now.tv_sec - clockStart.tv_sec) * 1000 + (now.tv_nsec - clockStart.tv_nsec) / 1_000_000
                remaining = max(0, milliseconds - Int32(clamping: passed))
            }
        }
    }

    /// The limit on the length of a received message in bytes, above every length that the protocol has.
    private static let maximumMessageLength = 4096
}
