// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

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
