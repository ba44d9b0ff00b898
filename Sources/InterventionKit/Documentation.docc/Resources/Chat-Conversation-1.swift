import Foundation
import InterventionKit

struct Message {
    let sender: String
    let attachment: MediaAttachment
}

struct Conversation {
    private let checker = AttachmentChecker(display: .judgedPixels)
    private(set) var messages: [Message] = []

    mutating func receive(_ file: URL, from sender: String) {
        let attachment = MediaAttachment(kind: .image, source: .local(file), checker: checker)
        messages.append(Message(sender: sender, attachment: attachment))
    }
}
