import Foundation
import InterventionKit
import SensitiveContentAnalysis

/// A person in a call, whose camera is a file with one frame of 320 × 240 pixels in BGRA.
struct Participant {
    let name: String
    private let frame: CVPixelBuffer
    private let session: LiveSession
    private let words = InterventionWords()

    init(name: String, camera: URL) throws {
        self.name = name
        let pixels = try Data(contentsOf: camera)
        frame = try CVPixelBuffer(width: 320, height: 240, pixelFormat: .bgra32)
        _ = frame.withPlane(0) { pixels.copyBytes(to: $0) }
        session = LiveSession(participantUUID: name, streamDirection: .incoming, delay: .seconds(1))
    }

    /// Plays the camera for some seconds, and prints each change of what is seen.
    func join(seconds: Int) async {
        let view = Task {
            var isShown: Bool?
            for await picture in session.pictures {
                let isFrame = if case .frame = picture { true } else { false }
                if isFrame != isShown { print("\(name): [the video is \(isFrame ? "shown" : "covered")]") }
                isShown = isFrame
            }
        }
        let pane = Task {
            for await flow in session.flows where flow.presentation.pane != .checking {
                guard let text = words.text(for: flow, about: .stream) else { continue }
                print("\(name): \(text.title)")
                print("\(name): [the sound is \(session.mutesSound ? "off" : "on")]")
            }
        }
        for _ in 0..<(seconds * 15) {
            session.show(frame)
            try? await Task.sleep(for: .milliseconds(66))
        }
        session.end()
        await view.value
        pane.cancel()
    }
}
