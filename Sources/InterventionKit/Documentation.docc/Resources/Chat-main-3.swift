import Foundation
import SensitiveContentAnalysis

let arguments = CommandLine.arguments.dropFirst()
let isChild = arguments.contains("--child")
let isSending = arguments.contains("--send")
SCSensitivityAnalyzer.defaultConfiguration.demandedPolicy =
    isChild ? .descriptiveInterventions : .simpleInterventions

var conversation = Conversation()
for path in arguments where !path.hasPrefix("--") {
    let file = URL(fileURLWithPath: path)
    if isSending { conversation.send(file) } else { conversation.receive(file, from: "Ana") }
}
for message in conversation.messages {
    await MessageView(message: message).show()
}
