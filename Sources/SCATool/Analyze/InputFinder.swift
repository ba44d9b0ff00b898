// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Foundation
internal import Glibc

/// An input of the command: an argument of the person, or an entry of a searched folder.
struct FoundInput: Sendable {
    /// The path as the person would write it; "-" for standard input.
    let path: String
    let kind: Kind

    enum Kind: Sendable, Equatable {
        case standardInput
        /// A path that was named; a failure of its analysis is reported.
        case named
        /// A file in a folder; a file without media is skipped.
        case inFolder
        /// An address on a network.
        case remote
        /// A folder that could not be listed.
        case unreadableFolder
        /// An entry of a folder whose kind cannot be read, with the errno value.
        case unreachable(Int32)
        /// A path with a name that is not UTF-8, so the path cannot be passed on.
        case misnamed
        /// An entry of a folder that is no regular file.
        case noFile
    }
}

/// Finds the inputs one by one: arguments in their order, and the entries of a folder in the order of their names.
struct InputFinder: Sequence, Sendable {
    let paths: [String]
    let isRecursive: Bool
    /// The output files of this command, which a search of a folder leaves out.
    var ownFiles: Set<FileIdentity> = []

    func makeIterator() -> Iterator {
        // The next input is the last element, because the last element is cheap to remove.
        Iterator(pending: paths.reversed().map { .named($0) }, isRecursive: isRecursive, ownFiles: ownFiles)
    }

    /// Whether a file is in one of the folders that are searched.
    func finds(_ file: FileIdentity) -> Bool {
        contains { $0.kind == .inFolder && FileIdentity(path: $0.path) == file }
    }

    struct Iterator: IteratorProtocol {
        enum Pending {
            case named(String)
            case found(String)
            case misnamed(String)
        }

        fileprivate(set) var pending: [Pending]
        fileprivate let isRecursive: Bool
        private let ownFiles: Set<FileIdentity>

        /// The number of entries that are known and not yet returned.
        var knownCount: Int { pending.count }

        init(pending: [Pending], isRecursive: Bool, ownFiles: Set<FileIdentity>) {
            self.pending = pending
            self.isRecursive = isRecursive
            self.ownFiles = ownFiles
        }

        mutating func next() -> FoundInput? {
            while let next = pending.popLast() {
                switch next {
                case .misnamed(let path): return FoundInput(path: path, kind: .misnamed)
                case .named("-"): return FoundInput(path: "-", kind: .standardInput)
                // The system replaces invalid bytes of an argument by U+FFFD. Another file may have the new name.
                case .named(let path) where path.unicodeScalars.contains("\u{FFFD}"):
                    return FoundInput(path: path, kind: .misnamed)
                case .named(let path) where Self.isRemote(path): return FoundInput(path: path, kind: .remote)
                case .named(let path):
                    // A link that the person names is followed, because the person chose it.
                    guard isRecursive, Self.isFolder(path) else {
                        return FoundInput(path: path, kind: .named)
                    }
                    guard list(path) else { return FoundInput(path: path, kind: .unreadableFolder) }
                case .found(let path):
                    var status = stat()
                    guard unsafe lstat(path, &status) == 0 else {
                        // A file may have been removed since the folder was listed.
                        return FoundInput(path: path, kind: errno == ENOENT ? .noFile : .unreachable(errno))
                    }
                    switch status.st_mode & S_IFMT {
                    case S_IFREG where ownFiles.contains(FileIdentity(status)): continue
                    case S_IFREG: return FoundInput(path: path, kind: .inFolder)
                    case S_IFDIR:
                        guard list(path) else { return FoundInput(path: path, kind: .unreadableFolder) }
                    default: return FoundInput(path: path, kind: .noFile)
                    }
                }
            }
            return nil
        }

        private mutating func list(_ folder: String) -> Bool {
            guard let names = Self.names(in: folder) else { return false }
            let prefix = folder.hasSuffix("/") ? folder : folder + "/"
            pending += names.sorted { $0.text > $1.text }.map { name in
                name.isValid ? .found(prefix + name.text) : .misnamed(prefix + name.text)
            }
            return true
        }

        /// Returns the names in a folder, or nil if they cannot be read to the end.
        ///
        /// Foundation would repair names that are not UTF-8, and so return names that do not exist.
        private static func names(in folder: String) -> [(text: String, isValid: Bool)]? {
            guard let entries = unsafe opendir(folder) else { return nil }
            defer { unsafe closedir(entries) }
            var names: [(text: String, isValid: Bool)] = []
            while true {
                errno = 0
                guard let entry = unsafe readdir(entries) else { return errno == 0 ? names : nil }
                // The name is read by its address, because the entry may be shorter than its type.
                let name = unsafe UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
                let length = unsafe strlen(name.assumingMemoryBound(to: CChar.self))
                let bytes = unsafe Array(UnsafeRawBufferPointer(start: name, count: length))
                if bytes == Array(".".utf8) || bytes == Array("..".utf8) { continue }
                if let text = String(validating: bytes, as: UTF8.self) {
                    names.append((text, true))
                } else {
                    names.append((String(decoding: bytes, as: UTF8.self), false))
                }
            }
        }

        /// Whether a path leads to a folder, also through a link.
        private static func isFolder(_ path: String) -> Bool {
            var status = stat()
            return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }

        private static func isRemote(_ path: String) -> Bool {
            guard let end = path.range(of: "://") else { return false }
            let scheme = path[..<end.lowerBound].lowercased()
            return scheme != "file" && !scheme.isEmpty
                && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
                && !FileManager.default.fileExists(atPath: path)
        }
    }
}

/// Recognises likely videos by their names, only to try the right decoder first.
enum VideoFileName {
    static func isLikely(_ path: String) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        return extensions.contains(path[path.index(after: dot)...].lowercased())
    }

    private static let extensions: Set = [
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "m2ts", "mts", "flv", "ogv", "3gp",
    ]
}
