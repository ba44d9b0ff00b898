import Foundation
import SensitiveContentAnalysis

let arguments = CommandLine.arguments.dropFirst()
let isChild = arguments.contains("--child")
let isSending = arguments.contains("--send")
SCSensitivityAnalyzer.defaultConfiguration.demandedPolicy =
    isChild ? .descriptiveInterventions : .simpleInterventions

if arguments.contains("--call") {
    let cameras = arguments.filter { !$0.hasPrefix("--") }.map { URL(fileURLWithPath: $0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (name, camera) in zip(["Ana", "Ben"], cameras) {
            let participant = try Participant(name: name, camera: camera)
            group.addTask { await participant.join(seconds: 6) }
        }
        try await group.waitForAll()
    }
    exit(0)
}
var conversation = Conversation()
for path in arguments where !path.hasPrefix("--") {
    let file = URL(fileURLWithPath: path)
    if isSending { conversation.send(file) } else { conversation.receive(file, from: "Ana") }
}
for message in conversation.messages {
    await MessageView(message: message).show()
}
