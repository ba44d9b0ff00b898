// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import LiveStreams
internal import VideoCapture

extension SCVideoStreamAnalyzer {
    /// A camera of this machine, or another device that captures video.
    ///
    /// ```swift
    /// let camera = SCVideoStreamAnalyzer.CaptureDeviceInput(devicePath: "/dev/video0")
    /// do {
    ///     // With a gate, no picture is displayed before it was judged.
    ///     _ = try streamAnalyzer.gate()
    ///     try streamAnalyzer.beginAnalysis(of: camera)
    ///     for await picture in camera.pictures {
    ///         if case .frame(let frame) = picture { view.display(frame) } else { view.isCovered = true }
    ///     }
    /// } catch {
    ///     view.cover("The camera cannot be used. \(error.localizedDescription)")
    /// }
    /// ```
    ///
    /// Display ``pictures``. Frames without compression are copied in the app's process. JPEG pictures of cameras are
    /// decoded in a closed process apart from the app. A device that is removed ends the stream, and the app goes on.
    ///
    /// Not in Apple's framework, whose analyzer attaches to an `AVCaptureDeviceInput` instead.
    public final class CaptureDeviceInput: Sendable {
        /// The pictures to display, each as soon as it is captured; nil after the end of the capture.
        ///
        /// Iterate over it once; a slow view gets the newest picture only. After a finding, pictures are blank until
        /// ``SCVideoStreamAnalyzer/continueStream()``. If the analyzer has a gate, the pictures are those of the gate, so
        /// that no picture is displayed before it was judged.
        public let pictures: AsyncStream<Picture>

        let backing: CaptureBacking

        /// Creates the input of a device; `beginAnalysis(of:)` opens it.
        ///
        /// The device chooses the nearest size and rate that it has.
        ///
        /// - Parameters:
        ///   - devicePath: the path of a device of Video4Linux2, such as `/dev/video0`.
        ///   - width: the wished width of frames, in pixels.
        ///   - height: the wished height of frames, in pixels.
        ///   - framesPerSecond: the wished rate, from 1 to 1,000.
        public init(devicePath: String, width: Int = 1280, height: Int = 720, framesPerSecond: Double = 30) {
            backing = CaptureBacking(
                .device(path: devicePath, CaptureWish(width: width, height: height, rate: framesPerSecond)))
            pictures = backing.output.pictures
        }

        /// Creates the input of a node of PipeWire, such as a camera; `beginAnalysis(of:)` starts the capture.
        ///
        /// The program `sca-pipewire-source` captures, so no app loads PipeWire's library.
        ///
        /// - Parameter pipeWireNode: the name of the node, which no other source of video may have, or its serial number
        ///   in digits.
        public init(pipeWireNode: String) {
            backing = CaptureBacking(.node(CaptureNode(target: pipeWireNode)))
            pictures = backing.output.pictures
        }

        /// Creates the input of a screen or a window that the portal of the desktop shares.
        ///
        /// The app asks the portal `org.freedesktop.portal.ScreenCast`, whose reply to `Start` names the node.
        ///
        /// - Parameters:
        ///   - pipeWireRemote: the descriptor that `OpenPipeWireRemote` returned. It is copied, and the app closes its own.
        ///     It serves one input.
        ///   - nodeIdentifier: the number of the node.
        public init(pipeWireRemote: Int32, nodeIdentifier: UInt32) {
            backing = CaptureBacking(
                .node(CaptureNode(target: "id:\(nodeIdentifier)", remoteCopiedFrom: pipeWireRemote)))
            pictures = backing.output.pictures
        }

        deinit { backing.end() }
    }

    /// Analyses all frames of a camera or of another device.
    ///
    /// A further call ends the analysis of the input before it, with its gate. ``endAnalysis()`` closes the device. A device
    /// that cannot be opened, or that fails later, ends ``analysisChanges`` with the error.
    ///
    /// - Throws: ``SensitivityAnalysisError`` with `invalidArgument` if the input has been analysed already, or if no
    ///   device has such a size or rate.
    public func beginAnalysis(of input: CaptureDeviceInput) throws { try backing.begin(input.backing) }
}
