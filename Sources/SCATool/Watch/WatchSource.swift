// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc

/// The source of a stream, as the person names it.
enum WatchSource: Sendable, Equatable {
    case file(path: String)
    case standardInput
    /// A named pipe.
    case pipe(path: String)
    /// A unix socket on which another program listens.
    case socket(path: String)
    /// Datagrams to this port of loopback, of a transport stream, or of RTP with a session description.
    case datagrams(LoopbackPort)
    /// A device that captures video.
    case device(path: String)
    /// A node of PipeWire, by its name or its serial number.
    case node(target: String)

    /// - Throws: `ValidationError` for a source that is not watched, with the way to watch it.
    init(_ text: String) throws {
        let name = TerminalText.printable(text)
        if text == "-" {
            self = .standardInput
            return
        }
        if text.hasPrefix("udp://") {
            let address = text.dropFirst(6)
            if let port = LoopbackPort(address) {
                self = .datagrams(port)
                return
            }
            guard !LoopbackPort.isOfLoopback(address) else {
                throw ValidationError(
                    "\(name) has no port from 1 to 65535 at its end. Write udp://127.0.0.1:PORT, without a path or options."
                )
            }
            throw ValidationError(
                "\(name) is not on this machine. sca receives datagrams of loopback only: udp://127.0.0.1:PORT."
                    + " Pipe other streams: ffmpeg -v error -nostdin -i ADDRESS -c copy -f mpegts - | sca watch -")
        }
        if text.hasPrefix(Self.nodePrefix) {
            let target = String(text.dropFirst(Self.nodePrefix.count))
            guard !target.isEmpty else {
                throw ValidationError("Name the node, as in pipewire:NAME. List the nodes with: pw-cli ls Node")
            }
            self = .node(target: target)
            return
        }
        if text.contains("://") {
            throw ValidationError(
                "\(name) is an address, and sca opens no connections. Pipe the stream:"
                    + " ffmpeg -v error -nostdin -i ADDRESS -c copy -f mpegts - | sca watch -")
        }
        var status = stat()
        guard unsafe stat(text, &status) == 0 else {
            self = .file(path: text)
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            throw ValidationError("\(name) is a folder. Name its files, or judge it with: sca analyze --recursive")
        case S_IFIFO: self = .pipe(path: text)
        case S_IFSOCK: self = .socket(path: text)
        case S_IFCHR: self = .device(path: text)
        case S_IFREG: self = .file(path: text)
        default: throw ValidationError("\(name) is a disk, and no file or stream. Name a file on it.")
        }
    }

    private static let nodePrefix = "pipewire:"

    /// Whether frames come when they come, and not at a speed that is chosen here.
    var isLive: Bool {
        if case .file = self { return false }
        return true
    }
}
