// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc
internal import Hashing

/// The file in which a model is kept in compiled form, so that the next start is quicker.
///
/// It is replaced as a whole: other processes see the old file or the complete new one, also when the writer is
/// interrupted. It ends with a SHA-256 of what is before, since OpenVINO takes a damaged one without complaint, and of
/// the state of the model's file: a model that somebody has touched is verified and compiled anew.
struct CompiledModelCache {
    private let folder: String
    private let modelFileState: [UInt8]
    private var file: String { "\(folder)/model.blob" }

    /// - Parameters:
    ///   - root: the user's cache folder of this project. The home folder above it is never made.
    ///   - modelHash: the SHA-256 of the model.
    ///   - modelFileState: what changes whenever the model's file does.
    ///   - configuration: whatever else the compiled form depends on besides the processor, usable as a file name.
    init?(
        root: String?, libraryVersion: String, modelHash: String, modelFileState: [UInt8], configuration: String
    ) {
        guard let root, let processor = Self.processor() else { return nil }
        self.modelFileState = modelFileState
        let version = libraryVersion.filter { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
        folder = "\(root)/compiled/\(version)/\(modelHash.prefix(16))-\(configuration)-\(processor)"
        guard Self.makeFolders([root, "\(root)/compiled", "\(root)/compiled/\(version)", folder]) else { return nil }
        // Such a folder is only as trustworthy as who can write into it.
        var status = stat()
        guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else { return nil }
    }

    /// Makes the folders that are missing; each lies in the one before, and the first is the root.
    ///
    /// Above the root, only the folder of all caches is made, such as `~/.cache`. Some accounts have no home folder on
    /// purpose, and one that is mounted later must not be hidden by another.
    /// Source: XDG Base Directory Specification 0.8, "Referencing this specification".
    private static func makeFolders(_ folders: [String]) -> Bool {
        let above = URL(fileURLWithPath: folders[0]).deletingLastPathComponent().path
        return ([above] + folders).allSatisfy { unsafe mkdir($0, 0o700) == 0 || errno == EEXIST }
    }

    /// The compiled form, if it is there, whole, and of the model's file as it is now.
    func content() -> PrivateFile? {
        guard let copy = PrivateFile(path: file, maximumByteCount: Self.maximumByteCount) else { return nil }
        let length = unsafe copy.bytes.count - SHA256Digest.byteCount
        guard length > 0 else { return nil }
        let (content, digest) = unsafe (copy.bytes.prefix(length), copy.bytes.suffix(SHA256Digest.byteCount))
        guard let expected = unsafe self.digest(of: UnsafeRawBufferPointer(rebasing: content)),
            unsafe expected.elementsEqual(digest)
        else { return nil }
        copy.trim(to: length)
        return copy
    }

    /// The digest that belongs behind a compiled form, or nil where none can be computed.
    private func digest(of content: UnsafeRawBufferPointer) -> [UInt8]? {
        guard var hash = try? SHA256() else { return nil }
        unsafe hash.update(content)
        hash.update(modelFileState)
        return try? hash.digest().bytes
    }

    /// Keeps a compiled form that the closure writes to the path that it is given.
    ///
    /// A failure costs the next start time and nothing else.
    ///
    /// - Parameter isWhole: whether what was written can be loaded: OpenVINO does not notice that a disk is full.
    func store(_ write: (String) throws -> Void, isWhole: (PrivateFile) -> Bool) {
        let lock = unsafe open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { return }
        defer { close(lock) }
        // Who holds the lock is writing the same.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return }
        let new = "\(file).new"
        unsafe unlink(new)
        // Whoever writes to the path keeps these permissions, whatever the user's mask for new files.
        let created = unsafe open(new, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard created >= 0 else { return }
        defer { close(created) }
        if (try? write(new)) != nil, let copy = PrivateFile(path: new, maximumByteCount: Self.maximumByteCount),
            isWhole(copy), let digest = unsafe digest(of: copy.bytes)
        {
            let written = unsafe digest.withUnsafeBytes { unsafe Glibc.write(created, $0.baseAddress, $0.count) }
            // To the disk before the name: after a loss of power, the name must not lead to an empty file.
            if written == digest.count, fsync(created) == 0, unsafe rename(new, file) == 0 { return }
        }
        unsafe unlink(new)
    }

    /// What of the processor decides on the compiled form, in short: a home folder may be shared by machines.
    private static func processor() -> String? {
        let information = unsafe open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC)
        guard information >= 0 else { return nil }
        defer { close(information) }
        // The first processor is described in the first kilobytes; to read on takes long where there are many.
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
    }

    private static let maximumByteCount = 4 << 30
}
