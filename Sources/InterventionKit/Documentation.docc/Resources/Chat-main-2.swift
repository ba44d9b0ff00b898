import Foundation
import SensitiveContentAnalysis

SCSensitivityAnalyzer.defaultConfiguration.demandedPolicy = .simpleInterventions

var conversation = Conversation()
for path in CommandLine.arguments.dropFirst() {
    conversation.receive(URL(fileURLWithPath: path), from: "Ana")
}
for message in conversation.messages {
    await MessageView(message: message).show()
}
