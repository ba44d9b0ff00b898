// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Foundation
internal import Glibc

/// An iterator over the inputs of the command.
final class InputIterator {
    private enum Pending {
        case named(InputPath)
        case listed(InputPath)
        case found(Entry)
    }

    /// An entry of a searched folder.
    private struct Entry {
        let path: InputPath
        /// The length of the path of the searched folder in bytes.
        let root: Int
        /// Whether a link that was followed led to the entry.
        var isBehindLink = false
        /// Whether a folder above the entry was put in its place after the moment of --newer-than.
        var isInNewFolder = false
    }

    /// The next input is the last element, because the last element is cheap to remove.
    private var pending: [Pending]
    private let isRecursive: Bool
    private let filter: SearchFilter
    private let skipsOtherListedFiles: Bool
    private let ownFiles: Set<FileIdentity>
    private var names: NameReader?
    /// The links that are followed later, because a folder is searched once, and its own path goes before.
    private var links: [Entry] = []
    /// The folders that were searched, and whether a link led to them; filled only if links are followed, because links
    /// can form a circle.
    private var searched: [FileIdentity: Bool] = [:]
    /// Whether a pattern for paths has left out an entry behind a link, which another path would not leave out.
    private var hasLeftOutByPath = false

    init(_ finder: InputFinder, names: NameReader?) {
        pending = finder.paths.reversed().map { finder.pathsAreListed ? .listed($0) : .named($0) }
        (isRecursive, filter, ownFiles) = (finder.isRecursive, finder.filter, finder.ownFiles)
        skipsOtherListedFiles = finder.skipsOtherListedFiles
        self.names = names
    }

    /// The number of entries that are known and not yet returned.
    var knownCount: Int { pending.count + links.count }

    /// Returns the next input; it may have to wait for a folder or for the program that writes the list of names.
    func next() -> FoundInput? {
        while true {
            switch pending.popLast() {
            case .named(let path):
                if let input = input(named: path) { return input }
            case .listed(let path):
                if let input = input(listed: path) { return input }
            case .found(let entry):
                if let input = input(found: entry) { return input }
            case nil where !links.isEmpty:
                pending = links.reversed().map { .found($0) }
                links = []
            case nil:
                guard let names else { return nil }
                do throws(NameReader.Failure) {
                    guard let path = try names.next() else { return nil }
                    pending.append(.listed(path))
                } catch {
                    self.names = nil
                    return FoundInput(path: InputPath("--files-from"), kind: .unreadableList(error.number))
                }
            }
        }
    }

    private func input(named path: InputPath) -> FoundInput? {
        if path.isStandardInput { return FoundInput(path: path, kind: .standardInput) }
        if Self.isRemote(path) { return FoundInput(path: path, kind: .remote) }
        // A link that the person names is followed, because the person chose it.
        guard isRecursive, let status = path.status(followingLinks: true), status.st_mode & S_IFMT == S_IFDIR else {
            return FoundInput(path: path, kind: .named)
        }
        // A list may name the folder for moved files.
        guard !ownFiles.contains(FileIdentity(status)) else { return FoundInput(path: path, kind: .skipped(.leftOut)) }
        // A named folder is searched again even if a link has led to it.
        searched[FileIdentity(status)] = nil
        return search(
            Entry(path: path, root: path.bytes.last == UInt8(ascii: "/") ? path.bytes.count : path.bytes.count + 1),
            status)
    }

    private func input(listed path: InputPath) -> FoundInput? {
        let named = input(named: path)
        guard let named, named.kind == .named, skipsOtherListedFiles else { return named }
        guard let status = path.status(followingLinks: true) else {
            // A program that watches a folder also lists files that are gone by now.
            return errno == ENOENT ? FoundInput(path: path, kind: .skipped(.removed)) : named
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return FoundInput(path: path, kind: .inFolder)
        case S_IFDIR: return named
        default: return FoundInput(path: path, kind: .skipped(.special))
        }
    }

    private func input(found entry: Entry) -> FoundInput? {
        var entry = entry
        let path = entry.path
        guard var status = path.status(followingLinks: false) else {
            // A file may have been removed since the folder was listed.
            return FoundInput(path: path, kind: errno == ENOENT ? .skipped(.removed) : .unreachable(errno))
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard filter.followsLinks, let target = path.status(followingLinks: true) else {
                return FoundInput(path: path, kind: .skipped(.link))
            }
            guard entry.isBehindLink || target.st_mode & S_IFMT != S_IFDIR else {
                entry.isBehindLink = true
                links.append(entry)
                return nil
            }
            status = target
        }
        let kind = status.st_mode & S_IFMT
        guard !ownFiles.contains(FileIdentity(status)) else { return nil }
        guard kind == S_IFREG || kind == S_IFDIR else { return FoundInput(path: path, kind: .skipped(.special)) }
        let pathInFolder = InputPath(bytes: path.bytes.dropFirst(entry.root))
        guard filter.admits(pathInFolder, status, isInNewFolder: entry.isInNewFolder) else {
            if entry.isBehindLink, filter.hasPathPatterns { hasLeftOutByPath = true }
            return FoundInput(path: path, kind: .skipped(.leftOut))
        }
        return kind == S_IFREG ? FoundInput(path: path, kind: .inFolder) : search(entry, status)
    }

    /// Notes the entries of a folder, and returns the folder itself if it cannot be listed.
    private func search(_ folder: Entry, _ status: stat) -> FoundInput? {
        let path = folder.path
        if filter.followsLinks {
            if let wasBehindLink = searched[FileIdentity(status)] {
                let isAmbiguous = wasBehindLink && hasLeftOutByPath
                return FoundInput(path: path, kind: isAmbiguous ? .ambiguousFolder : .skipped(.link))
            }
            searched[FileIdentity(status)] = folder.isBehindLink
        }
        guard let names = Self.names(in: path) else { return FoundInput(path: path, kind: .unreadableFolder) }
        let isNew = folder.isInNewFolder || filter.newerThan?.isBeforeMove(of: status) == true
        pending += names.sorted(by: >).map { name in
            .found(
                Entry(
                    path: path.appending(name), root: folder.root, isBehindLink: folder.isBehindLink,
                    isInNewFolder: isNew))
        }
        return nil
    }

    /// Returns the names in a folder, or nil if they cannot be read to the end.
    ///
    /// Foundation would repair names that are not UTF-8, and so return names that do not exist.
    private static func names(in folder: InputPath) -> [InputPath]? {
        guard let entries = unsafe folder.withCString({ unsafe opendir($0) }) else { return nil }
        defer { unsafe closedir(entries) }
        var names: [InputPath] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(entries) else { return errno == 0 ? names : nil }
            // The name is read by its address, because the entry may be shorter than its type.
            let name = unsafe UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
            let length = unsafe strlen(name.assumingMemoryBound(to: CChar.self))
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: name, count: length))
            if bytes == Array(".".utf8) || bytes == Array("..".utf8) { continue }
            names.append(InputPath(bytes: bytes))
        }
    }

    private static func isRemote(_ path: InputPath) -> Bool {
        let text = path.text
        guard let end = text.range(of: "://") else { return false }
        let scheme = text[..<end.lowerBound].lowercased()
        return scheme != "file" && !scheme.isEmpty
            && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
            && path.status(followingLinks: true) == nil
    }
}
