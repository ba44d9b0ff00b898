import Foundation
import InterventionKit

struct MessageView {
    let message: Message
    let words = InterventionWords()

    func show() async {
        for await flow in message.attachment.flows {
            draw(flow)
            if flow.presentation.pane == .checking { continue }
            let choices = flow.presentation.actions + flow.presentation.menu
            guard !choices.isEmpty, let line = ask(choices, flow) else { return }
            if let number = Int(line), choices.indices.contains(number - 1) {
                perform(message.attachment.choose(choices[number - 1], in: flow))
            } else if flow.presentation.closingAction != nil {
                message.attachment.close(flow)
            } else {
                return
            }
        }
    }

    private func perform(_ request: InterventionRequest?) {
        switch request {
        case .blockContact: print("  (\(message.sender) is blocked.)")
        case .contactGrownUp, .send, .leaveStream, nil: break
        }
    }

    private func ask(_ choices: [InterventionAction], _ flow: InterventionFlow) -> String? {
        if flow.presentation.pane == .help {
            for place in HelpDirectory.standard.resources(for: flow.policy) {
                print("  \(place.name) \(place.phone ?? "") \(place.url)")
            }
        }
        for (index, choice) in choices.enumerated() {
            print("  \(index + 1)  \(words.label(of: choice, in: flow))")
        }
        return readLine()
    }

    private func draw(_ flow: InterventionFlow) {
        let name = message.attachment.localFile?.lastPathComponent ?? "picture"
        print("\(message.sender): [\(name) is \(flow.presentation.isUncovered ? "shown" : "covered")]")
        guard let text = words.text(for: flow, about: message.attachment.kind) else { return }
        for line in [text.title] + text.paragraphs { print("  \(line)") }
    }
}
