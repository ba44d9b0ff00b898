import Foundation
import InterventionKit
import SensitiveContentAnalysis

struct Message {
    let sender: String
    let attachment: MediaAttachment
}

struct Conversation {
    private let checker = AttachmentChecker()
    private(set) var messages: [Message] = []

    mutating func receive(_ file: URL, from sender: String) {
        add(file, from: sender, direction: .receiving)
    }

    mutating func send(_ file: URL) {
        add(file, from: "Me", direction: .sending)
    }

    private mutating func add(_ file: URL, from sender: String, direction: MediaDirection) {
        let attachment = MediaAttachment(
            kind: file.pathExtension == "mp4" ? .video : .image, source: .local(file), direction: direction,
            abilities: [.blockContact, .contactGrownUp], checker: checker)
        messages.append(Message(sender: sender, attachment: attachment))
    }
}
