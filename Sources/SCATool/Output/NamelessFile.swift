// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// A file without a name, so nothing of it is left when the command ends.
final class NamelessFile: Sendable {
    private let descriptor: Int32

    /// A failure of the system, with its errno value.
    struct Failure: Error {
        let number: Int32
    }

    /// Creates an empty file that only its owner may read.
    init(inFolder folder: String) throws(Failure) {
        let path = "\(folder)/.sca-\(UUID().uuidString)"
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        _ = unsafe unlink(path)
    }

    deinit {
        close(descriptor)
    }

    func append(_ bytes: [UInt8]) throws(Failure) {
        let number = DescriptorWriter.write(bytes, to: descriptor)
        guard number == 0 else { throw Failure(number: number) }
    }

    func bytes(in range: Range<Int>) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(range.count, 1 << 16))
        while bytes.count < range.count {
            let wanted = min(piece.count, range.count - bytes.count)
            let count = unsafe pread(descriptor, &piece, wanted, off_t(range.lowerBound + bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(number: count < 0 ? errno : EIO) }
            bytes += piece.prefix(count)
        }
        return bytes
    }
}
