// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import LiveStreams

/// The functions of a `CaptureDeviceInput`: its capture, and the pictures that may be displayed.
final class CaptureBacking: StreamSession {
    let input: CaptureInput
    let output = PictureOutput()
    private let capture = SessionSource<LiveCapture> { $0.end() }

    init(_ input: CaptureInput) {
        self.input = input
    }

    /// Starts the capture.
    ///
    /// - Throws: `invalidArgument` if it has begun already, and errors of the closure.
    func begin(_ start: () throws -> LiveCapture) throws { try capture.begin(start) }

    func end() {
        capture.end()
        output.finish()
    }
}
