import Foundation
import InterventionKit
import SensitiveContentAnalysis

struct MessageView {
    let message: Message
    let words = InterventionWords()

    func show() async {
        for await flow in message.attachment.flows {
            await draw(flow)
            // A terminal goes on to the next message. A view follows as long as it is in sight.
            if flow.presentation.pane != .checking { return }
        }
    }

    private func draw(_ flow: InterventionFlow) async {
        let name = message.attachment.localFile?.lastPathComponent ?? "picture"
        print("\(message.sender): [\(name) is \(flow.presentation.isUncovered ? "shown" : "covered")]")
        if flow.presentation.pane != .checking { await drawPicture() }
        guard let text = words.text(for: flow, about: message.attachment.kind) else { return }
        for line in [text.title] + text.paragraphs { print("  \(line)") }
    }

    private func drawPicture() async {
        switch try? await message.attachment.displayedImage(maximumPixelSize: 480) {
        case .content(let image): print("  [\(image.width) × \(image.height) judged pixels]")
        case .cover(let samples?): CoverView(samples: samples).draw()
        // The place stays plain. Without a policy there would be a file, which nobody has judged.
        case .cover(nil), .file, nil: break
        }
    }
}
