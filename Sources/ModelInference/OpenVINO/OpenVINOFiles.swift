// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Glibc
internal import Hashing
internal import HelperProtocol

/// The files of the only version of OpenVINO that is used, with their SHA-256.
///
/// `scripts/bootstrap` installs the same files by the same list.
struct OpenVINOFiles {
    /// For each file name, the SHA-256 of the file in hexadecimal digits.
    let digests: [String: String]

    /// - Parameter list: lines as `sha256sum` prints them; lines that begin with `#` are comments.
    init(list: [UInt8]) {
        var digests: [String: String] = [:]
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            // The list also has licences, in a folder of their own, which are never loaded.
            guard parts.count == 2, !parts[1].contains("/") else { continue }
            digests[String(parts[1])] = String(parts[0])
        }
        self.digests = digests
    }

    #if arch(arm64)
    static let ofThisProcessor = OpenVINOFiles(list: PackageResources.aarch64_sha256)
    #else
    static let ofThisProcessor = OpenVINOFiles(list: PackageResources.x86_64_sha256)
    #endif

    /// The file name of OpenVINO's library with the C interface, or nil if the list does not have it.
    var entry: String? { digests.keys.first { $0.hasPrefix("libopenvino_c.so") } }

    /// Refuses a folder with missing or additional files, because libraries load files by name from their own folder.
    func checkNames(in folder: String) throws(ModelFailure) {
        guard let names = Self.names(in: folder) else {
            throw ModelFailure(.unusable, "The folder of OpenVINO cannot be read. Install OpenVINO anew.")
        }
        let known = Set(digests.keys)
        if let missing = known.subtracting(names).min() {
            throw ModelFailure(
                .unusable, "OpenVINO's \(missing) is missing, or of another version than 2026.4.1. \(Self.remedy)")
        }
        if let other = names.subtracting(known).subtracting(Self.harmless).min() {
            throw ModelFailure(
                .unusable,
                "OpenVINO's folder holds \(other.prefix(100)), which does not belong to it and could be loaded as code."
                    + " Remove it, and find out where it came from.")
        }
    }

    /// Refuses a folder whose files differ from the known files in name or in bytes.
    func checkAll(in folder: String) throws(ModelFailure) {
        try checkNames(in: folder)
        try verify(in: folder)
    }

    /// Checks the bytes of every file, and refuses the folder if a file differs from the known file.
    func verify(in folder: String) throws(ModelFailure) {
        for (name, digest) in digests.sorted(by: { $0.key < $1.key }) {
            let number = unsafe open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard number >= 0, let found = Self.digest(of: OwnedDescriptor(number)), found == digest else {
                throw ModelFailure(
                    .unusable,
                    "OpenVINO's \(name) is not the file of version 2026.4.1: its SHA-256 differs. It was not used."
                        + " \(Self.remedy)")
            }
        }
    }

    private static func digest(of file: OwnedDescriptor) -> String? {
        guard var hash = try? SHA256() else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(file.number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            unsafe buffer.withUnsafeBytes { unsafe hash.update(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        }
        return try? hash.digest().hexadecimal
    }

    private static func names(in folder: String) -> Set<String>? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: Set<String> = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.insert(name) }
            // The limit is far above the number of files of an installation, and bounds the work in a wrong folder.
            guard names.count <= 1000 else { return nil }
        }
        return names
    }

    /// The names of entries without code that the bootstrap script puts beside the libraries.
    private static let harmless: Set<String> = ["VERSION", "licences"]
    private static let remedy = "Install OpenVINO anew with `scripts/bootstrap`."
}
