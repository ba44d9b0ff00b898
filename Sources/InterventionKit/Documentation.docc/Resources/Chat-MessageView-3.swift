import Foundation
import InterventionKit

struct MessageView {
    let message: Message
    let words = InterventionWords()

    func show() async {
        for await flow in message.attachment.flows {
            await draw(flow)
            if flow.presentation.pane == .checking { continue }
            let choices = flow.presentation.actions + flow.presentation.menu
            guard !choices.isEmpty, let line = await ask(choices, flow) else { return }
            if let number = Int(line), choices.indices.contains(number - 1) {
                _ = message.attachment.choose(choices[number - 1], in: flow)
            } else if flow.presentation.closingAction != nil {
                message.attachment.close(flow)
            } else {
                return
            }
        }
    }

    private func ask(_ choices: [InterventionAction], _ flow: InterventionFlow) async -> String? {
        for (index, choice) in choices.enumerated() {
            print("  \(index + 1)  \(words.label(of: choice, in: flow))")
        }
        return await Keyboard.line()
    }

    private func draw(_ flow: InterventionFlow) async {
        let name = message.attachment.localFile?.lastPathComponent ?? "picture"
        print("\(message.sender): [\(name) is \(flow.presentation.isUncovered ? "shown" : "covered")]")
        if flow.presentation.pane != .checking, let samples = try? await message.attachment.coverSamples() {
            CoverView(samples: samples).draw()
        }
        guard let text = words.text(for: flow, about: message.attachment.kind) else { return }
        for line in [text.title] + text.paragraphs { print("  \(line)") }
    }
}
