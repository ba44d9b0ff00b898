// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The arguments of the program that captures the video of a node of PipeWire.
///
/// The program writes `NodeRecord` values to its descriptor 3, and ends with a `NodeCaptureEnding`.
package struct NodeCaptureRequest: Sendable, Equatable {
    /// The name of the executable.
    package static let executableName = "sca-pipewire-source"
    /// The descriptor to which the program writes.
    package static let outputDescriptor: Int32 = 3
    /// The descriptor of a connection to PipeWire, if the request has one.
    package static let remoteDescriptor: Int32 = 4
    /// The largest edge of a frame for which the arithmetic of the program is meant.
    package static let largestEdge = 65_535

    /// The variables that say where PipeWire is, the only ones that the program gets.
    package static let environmentNames = ["XDG_RUNTIME_DIR", "PIPEWIRE_RUNTIME_DIR", "PIPEWIRE_REMOTE"]

    /// The name or the serial number of the node, or "id:" and its number.
    package var target: String
    package var maximumEdge: Int
    package var maximumPixelCount: Int
    /// Whether the program uses the connection at `remoteDescriptor`.
    package var hasRemote: Bool
    /// Whether another player shows the node, so that frames with opacity or hidden parts are a failure.
    package var isForOtherPlayer: Bool

    package init(
        target: String, maximumEdge: Int, maximumPixelCount: Int, hasRemote: Bool, isForOtherPlayer: Bool = false
    ) {
        self.target = target
        self.maximumEdge = min(maximumEdge, Self.largestEdge)
        self.maximumPixelCount = maximumPixelCount
        self.hasRemote = hasRemote
        self.isForOtherPlayer = isForOtherPlayer
    }

    package var arguments: [String] {
        [
            target, String(maximumEdge), String(maximumPixelCount), hasRemote ? "remote" : "local",
            isForOtherPlayer ? "other" : "own",
        ]
    }

    /// Reads the arguments of the program; nil if they are no request.
    package init?(arguments: [String]) {
        guard arguments.count == 5, let edge = Int(arguments[1]), let count = Int(arguments[2]),
            (1...Self.largestEdge).contains(edge), count > 0, ["remote", "local"].contains(arguments[3]),
            ["other", "own"].contains(arguments[4])
        else { return nil }
        self.init(
            target: arguments[0], maximumEdge: edge, maximumPixelCount: count, hasRemote: arguments[3] == "remote",
            isForOtherPlayer: arguments[4] == "other")
    }
}

/// The ends of the program that captures from PipeWire, which are its exit codes.
package enum NodeCaptureEnding: Int32, Sendable, CaseIterable {
    /// The node has gone after its first frame, or the host reads no more.
    case ended = 0
    case invalidRequest = 1
    case cannotConnect = 2
    case noSuchNode = 3
    case noReadableFormat = 4
    case connectionLost = 5
    case noFrame = 6
    case noMemory = 7
    case refusedSize = 8
    case mirrored = 9
    case interlaced = 10
    case unreadableFrames = 11
    case streamFailed = 12
    case otherNode = 13
    case noVideo = 14
    case ambiguousName = 15
    case ambiguousFrames = 16
}

/// The records of the program that captures from PipeWire: the bytes of a Matroska stream, or the start of another.
package enum NodeRecord: Sendable, Equatable {
    case bytes([UInt8])
    /// The frames have another size or other colours from here on, so another stream begins.
    case nextStream

    /// The number of bytes before each record, which hold the number of bytes in it, the lowest first.
    package static let headerLength = 4
    /// The most bytes of one record.
    package static let mostBytes = 1 << 20

    /// Returns the header of a record with so many bytes; none begin another stream.
    package static func header(ofLength length: Int) -> [UInt8] {
        (0..<headerLength).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    }

    /// Reads a header; nil if the record would be too long.
    package static func length(ofHeader header: [UInt8]) -> Int? {
        let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
        return header.count == headerLength && length <= mostBytes ? length : nil
    }
}
