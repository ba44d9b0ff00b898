import Foundation
import InterventionKit

struct MessageView {
    let message: Message
    let words = InterventionWords()
    let help = PersonalHelp.ofAccount()

    func show() async {
        for await flow in message.attachment.flows {
            if flow.presentation.maySend { return print("Me: [\(name) is sent]") }
            await draw(flow)
            if flow.presentation.pane == .checking { continue }
            let choices = flow.presentation.actions + flow.presentation.menu
            guard !choices.isEmpty, let line = await ask(choices, flow) else { return }
            if let number = Int(line), choices.indices.contains(number - 1) {
                perform(message.attachment.choose(choices[number - 1], in: flow), flow)
            } else if flow.presentation.closingAction != nil {
                message.attachment.close(flow)
            } else {
                return
            }
        }
    }

    private var name: String { message.attachment.localFile?.lastPathComponent ?? "picture" }

    private func perform(_ request: InterventionRequest?, _ flow: InterventionFlow) {
        switch request {
        case .blockContact: print("  (\(message.sender) is blocked.)")
        case .contactGrownUp: print("  (To \(help.trustedGrownUp?.name ?? "a grown-up"): \(words.message(for: flow)))")
        case .send, .leaveStream, nil: break
        }
    }

    private func ask(_ choices: [InterventionAction], _ flow: InterventionFlow) async -> String? {
        if flow.presentation.pane == .help { listHelp(flow) }
        for (index, choice) in choices.enumerated() {
            print("  \(index + 1)  \(words.label(of: choice, in: flow, grownUp: help.trustedGrownUp?.name))")
        }
        return await Keyboard.line()
    }

    private func listHelp(_ flow: InterventionFlow) {
        for link in help.links { print("  \(link.title) \(link.url)") }
        for place in HelpDirectory.standard.resources(for: flow.policy) {
            print("  \(place.name) \(place.phone ?? "") \(place.url)")
            print("    \(words.purpose(of: place, policy: flow.policy))")
        }
    }

    private func draw(_ flow: InterventionFlow) async {
        print("\(message.sender): [\(name) is \(flow.presentation.isUncovered ? "shown" : "covered")]")
        if flow.presentation.pane != .checking, let samples = try? await message.attachment.coverSamples() {
            CoverView(samples: samples).draw()
        }
        guard let text = words.text(for: flow, about: message.attachment.kind) else { return }
        for line in [text.title] + text.paragraphs { print("  \(line)") }
    }
}
