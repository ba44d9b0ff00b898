// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import LiveStreams

/// The pictures of a session that may be displayed.
final class PictureOutput: Sendable {
    let pictures: AsyncStream<SCVideoStreamAnalyzer.Picture>
    private let continuation: AsyncStream<SCVideoStreamAnalyzer.Picture>.Continuation

    init() {
        (pictures, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Displays a frame, or a blank picture in its place.
    func display(_ frame: CVPixelBuffer, isBlank: Bool) {
        continuation.yield(isBlank ? .blank(width: frame.width, height: frame.height) : .frame(frame))
    }

    /// Displays what leaves the gate.
    func display(_ release: StreamService<CVPixelBuffer>.Release) {
        switch release {
        case .frame(let frame):
            if let buffer = frame.picture.source { display(buffer, isBlank: false) }
        case .cover(let frame, _):
            if let buffer = frame.picture.source { display(buffer, isBlank: true) }
        }
    }

    func finish() { continuation.finish() }
}
