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
