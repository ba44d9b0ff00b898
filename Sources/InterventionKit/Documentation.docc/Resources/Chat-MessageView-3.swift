import Foundation
import InterventionKit
import SensitiveContentAnalysis

struct MessageView {
    let message: Message
    let words = InterventionWords()

    private enum Input {
        case change
        case line(String?)
    }

    func show() async {
        let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
        let following = Task {
            for await _ in message.attachment.flows { continuation.yield(.change) }
        }
        defer { following.cancel() }
        var drawn: InterventionFlow?
        var asked: InterventionFlow?
        for await input in inputs {
            switch input {
            case .change:
                // What stands now, and not what stood when it was told.
                let flow = message.attachment.flow
                if flow != drawn { await draw(flow) }
                drawn = flow
            case .line(let line):
                guard let line, let seen = asked, choose(line, in: seen) else { return }
                asked = nil
                // What was drawn while the person thought calls for another answer.
                if drawn == seen { continue }
            }
            guard let flow = drawn, asked == nil, flow.presentation.pane != .checking else { continue }
            let choices = flow.presentation.actions + flow.presentation.menu
            // Nothing to answer: a terminal goes on to the next message. A view follows as long as it is in sight.
            if choices.isEmpty { return }
            asked = flow
            offer(choices, flow)
            Keyboard.nextLine { continuation.yield(.line($0)) }
        }
    }

    /// - Returns: whether there was anything to choose by that line.
    private func choose(_ line: String, in flow: InterventionFlow) -> Bool {
        let choices = flow.presentation.actions + flow.presentation.menu
        if let number = Int(line), choices.indices.contains(number - 1) {
            _ = message.attachment.choose(choices[number - 1], in: flow)
        } else if flow.presentation.closingAction != nil {
            message.attachment.close()
        } else {
            return false
        }
        return true
    }

    private func offer(_ choices: [InterventionAction], _ flow: InterventionFlow) {
        for (index, choice) in choices.enumerated() {
            let key = choice == flow.presentation.defaultAction ? "  ← Return" : ""
            print("  \(index + 1)  \(words.label(of: choice, in: flow))\(key)")
        }
    }

    private func draw(_ flow: InterventionFlow) async {
        let name = message.attachment.localFile?.lastPathComponent ?? "picture"
        print("\(message.sender): [\(name) is \(flow.presentation.isUncovered ? "shown" : "covered")]")
        if flow.presentation.pane != .checking { await drawPicture() }
        if let progress = words.progress(of: flow) { print("  \(progress)") }
        guard let text = words.text(for: flow, about: message.attachment.kind) else { return }
        // With a toolkit: a sheet over the whole view.
        if flow.presentation.style == .modal { print("  ────────────────") }
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
