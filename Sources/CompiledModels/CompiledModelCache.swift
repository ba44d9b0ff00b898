// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Glibc
internal import Hashing

/// A file in which a model is kept in compiled form, so that the next start is quicker.
///
/// The file is replaced as a whole. Other processes see the old file or the complete new file, even if the writer is
/// interrupted. It ends with a `CompiledCopyTrailer`, so a damaged copy or a copy of other files is not used.
package struct CompiledModelCache: Sendable {
    private let folder: String
    package var file: String { "\(folder)/model.blob" }

    /// - Parameters:
    ///   - root: the folder that holds the folder `compiled`.
    ///   - modelHash: the SHA-256 of the ONNX file, in hexadecimal digits.
    ///   - configuration: all that the compiled form depends on, apart from the processor, usable as a file name.
    package init?(root: String, modelHash: String, configuration: String) {
        guard let processor = Self.processor else { return nil }
        self.root = root
        folder = "\(root)/compiled/\(modelHash.prefix(16))-\(configuration)-\(processor)"
    }

    private let root: String

    /// Opens the compiled copy if it exists and was made from files in this state, without a check of its digest.
    ///
    /// - Parameter owner: the account that must own the file and must alone be able to write to it.
    package func open(state: [UInt8], owner: UInt32 = geteuid()) -> Int32? {
        let number = unsafe Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return nil }
        var status = stat()
        var trailer = [UInt8](repeating: 0, count: CompiledCopyTrailer.byteCount)
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == owner,
            status.st_mode & 0o022 == 0, status.st_size > trailer.count,
            unsafe pread(number, &trailer, trailer.count, Int(status.st_size) - trailer.count) == trailer.count,
            trailer.prefix(CompiledCopyTrailer.stateByteCount).elementsEqual(state)
        else {
            close(number)
            return nil
        }
        return number
    }

    /// Whether this account has a compiled copy that was made from files in this state.
    package func isOf(state: [UInt8]) -> Bool {
        guard let number = open(state: state) else { return false }
        close(number)
        return true
    }

    /// Writes a compiled model to the file, with a trailer for the check of later starts.
    ///
    /// A failure only makes the next start slower.
    ///
    /// - Parameters:
    ///   - content: a file with the compiled form.
    ///   - byteCount: the length of the form.
    ///   - state: the hash of the states of the files from which it was made.
    /// - Returns: whether it was kept.
    @discardableResult
    package func store(_ content: Int32, byteCount: Int, state: [UInt8]) -> Bool {
        guard state.count == CompiledCopyTrailer.stateByteCount, makeFolders() else { return false }
        let lock = unsafe Glibc.open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { return false }
        defer { close(lock) }
        // If another process holds the lock, it is writing the same compiled model.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return false }
        let new = "\(file).new"
        unsafe unlink(new)
        // All accounts that can reach the folder may read the file, because they use a copy that root owns.
        let created = unsafe Glibc.open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard created >= 0 else { return false }
        defer { close(created) }
        // The data is synced before the rename, so that the name does not lead to an empty file after a loss of power.
        if copy(content, byteCount, to: created, state: state), fchmod(created, 0o644) == 0, fsync(created) == 0,
            unsafe rename(new, file) == 0
        {
            return true
        }
        unsafe unlink(new)
        return false
    }

    /// Copies the compiled model by reads, not by a mapping, because the model's process can still shorten its memory.
    private func copy(_ content: Int32, _ byteCount: Int, to target: Int32, state: [UInt8]) -> Bool {
        guard (1...Self.maximumByteCount).contains(byteCount), var trailer = try? CompiledCopyTrailer() else {
            return false
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var position = 0
        while position < byteCount {
            let wanted = min(buffer.count, byteCount - position)
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe pread(content, $0.baseAddress, wanted, position) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            let isWritten = unsafe buffer.withUnsafeBytes { bytes in
                let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
                unsafe trailer.update(piece)
                return unsafe write(piece, to: target)
            }
            guard isWritten else { return false }
            position += count
        }
        guard let end = try? trailer.bytes(state: state) else { return false }
        return unsafe end.withUnsafeBytes { unsafe write($0, to: target) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to target: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = unsafe Glibc.write(target, bytes.baseAddress! + written, bytes.count - written)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Makes the missing folders of the cache, and returns whether only this account can write to its folder.
    private func makeFolders() -> Bool {
        // An administrator's folders are for all accounts; a home folder above them has its own permissions.
        PrivateFolder.make(
            ["compiled", folder.split(separator: "/").last.map(String.init) ?? ""], below: root,
            mode: geteuid() == 0 ? 0o755 : 0o700)
    }

    private static let maximumByteCount = 4 << 30

    /// A short hash of the processor's description, because a model is compiled for it and machines may share homes.
    private static let processor: String? = {
        let information = unsafe Glibc.open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC)
        guard information >= 0 else { return nil }
        defer { close(information) }
        // The first kilobytes describe the first processor. Reading on takes long if there are many processors.
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(information, $0.baseAddress, $0.count) }
        guard count > 0 else { return nil }
        guard var hash = try? SHA256() else { return nil }
        var isDescribed = false
        let names = ["model name", "flags", "Features", "CPU implementer", "CPU part"]
        for line in String(decoding: bytes.prefix(count), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.isEmpty { break }
            guard names.contains(where: line.hasPrefix) else { continue }
            isDescribed = true
            hash.update(Array(line.utf8))
        }
        guard isDescribed, let digest = try? hash.digest() else { return nil }
        return String(digest.hexadecimal.prefix(8))
    }()
}
