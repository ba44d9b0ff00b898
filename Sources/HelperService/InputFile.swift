// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HelperProtocol

/// The file that the host has passed, read at explicit positions.
package struct InputFile {
    package let descriptor: OwnedDescriptor
    package let byteCount: Int

    /// - Throws: `unreadable`, `empty`.
    package init(_ descriptor: OwnedDescriptor) throws(DecodingFailure) {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0, let size = Int(exactly: status.st_size), size >= 0 else {
            throw DecodingFailure(.unreadable)
        }
        guard size > 0 else { throw DecodingFailure(.empty) }
        self.descriptor = descriptor
        byteCount = size
    }

    /// Tells the format from the first bytes and calls the closure with both; failures of the closure then name it.
    ///
    /// - Throws: `unknownFormat`, and what the closure throws.
    package func withFormat<Value>(
        _ body: (MediaFormat, [UInt8]) throws(DecodingFailure) -> Value
    ) throws(DecodingFailure) -> Value {
        let prefix = try bytes(at: 0, count: FormatSniffer.prefixLength)
        guard let format = FormatSniffer.format(of: prefix) else { throw DecodingFailure(.unknownFormat) }
        do throws(DecodingFailure) {
            return try body(format, prefix)
        } catch {
            var failure = error
            failure.format = format
            throw failure
        }
    }

    /// - Throws: `tooManyBytes`.
    package func checkByteCount(_ request: ImageRequest) throws(DecodingFailure) {
        guard UInt64(byteCount) <= request.maximumByteCount else {
            throw DecodingFailure(.tooManyBytes, value: UInt64(byteCount), bound: request.maximumByteCount)
        }
    }

    /// The bytes at a position: fewer than asked for at the end of the file, none behind it.
    package func bytes(at offset: Int, count: Int) throws(DecodingFailure) -> [UInt8] {
        guard offset >= 0, offset < byteCount, count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: min(count, byteCount - offset))
        var filled = 0
        while filled < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor.number, buffer.baseAddress! + filled, buffer.count - filled, offset + filled)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw DecodingFailure(.unreadable) }
            if got == 0 { break }
            filled += got
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }
}
