import Foundation
import InterventionKit

struct Message {
    let sender: String
    let attachment: MediaAttachment
}

struct Conversation {
    private let checker = AttachmentChecker(display: .judgedPixels)
    /// Other programs show a sent file, so each look that they give it is judged.
    private let senderChecker = AttachmentChecker()
    private(set) var messages: [Message] = []

    mutating func receive(_ file: URL, from sender: String) {
        let attachment = MediaAttachment(
            kind: .image, source: .local(file), abilities: [.blockContact, .contactGrownUp], checker: checker)
        messages.append(Message(sender: sender, attachment: attachment))
    }

    mutating func send(_ file: URL) {
        let attachment = MediaAttachment(
            kind: .image, source: .local(file), direction: .sending, abilities: [.contactGrownUp],
            checker: senderChecker)
        messages.append(Message(sender: "Me", attachment: attachment))
    }
}
