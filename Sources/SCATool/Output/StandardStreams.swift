// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// The three descriptors with which a program starts.
enum StandardStreams {
    /// Opens /dev/null for each closed standard descriptor, in a mode in which the descriptor cannot be used.
    ///
    /// Otherwise the next opened file would get the number, and results would be written into the file.
    static func occupyClosed() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is this descriptor.
            _ = unsafe open("/dev/null", mode)
        }
    }
}

/// Standard output, for results.
enum StandardOutput {
    /// Writes a line, or ends the process at once if the line cannot be written.
    ///
    /// The caller would miss verdicts otherwise. A thrown error would first wait for inputs that may never come.
    static func write(line: String) {
        write(Array("\(line)\n".utf8))
    }

    /// Writes bytes, or ends the process if they cannot be written.
    static func write(_ bytes: [UInt8]) {
        let number = DescriptorWriter.write(bytes, to: STDOUT_FILENO)
        guard number != 0 else { return }
        if number == EPIPE { BrokenPipe.endAsUsual() }
        end(number)
    }

    /// Ends the process if standard output is closed, before there is anything to write.
    static func requireOpen() {
        let flags = fcntl(STDOUT_FILENO, F_GETFL)
        guard flags < 0 || flags & O_ACCMODE == O_RDONLY else { return }
        end(EBADF)
    }

    private static func end(_ number: Int32) -> Never {
        let reason = unsafe String(cString: strerror(number))
        CommandFailure(
            "The results could not be written to standard output (\(reason)). Make room, or check the program that"
                + " reads them.", exitCode: CommandFailure.outputCode
        ).end()
    }
}

/// Standard error, for messages to the person; a failed write is ignored, because no program relies on messages.
enum StandardError {
    static func write(_ text: String) {
        // `FileHandle.write(_:)` would end the program after a failure.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// Writes to a descriptor that may be a pipe, a terminal or a file.
enum DescriptorWriter {
    /// Writes all bytes, and waits for a slow reader.
    ///
    /// - Returns: 0, or an errno value.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch count == 0 ? EIO : errno {
            case EINTR: continue
            // The creator of the pipe may have set it to non-blocking mode.
            case EAGAIN:
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&ready, 1, -1)
            case let number: return number
            }
        }
        return 0
    }
}
