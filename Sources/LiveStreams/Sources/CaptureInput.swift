// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import VideoCapture

/// A source of frames of this machine.
package enum CaptureInput: Sendable {
    /// A device of Video4Linux2, such as /dev/video0.
    case device(path: String, CaptureWish)
    /// A node of PipeWire.
    case node(CaptureNode)
}
