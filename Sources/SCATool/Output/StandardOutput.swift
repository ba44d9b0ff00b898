// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

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
