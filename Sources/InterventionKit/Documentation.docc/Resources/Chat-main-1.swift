import Foundation
import SensitiveContentAnalysis

SCSensitivityAnalyzer.defaultConfiguration.demandedPolicy = .simpleInterventions

var conversation = Conversation()
for path in CommandLine.arguments.dropFirst() {
    conversation.receive(URL(fileURLWithPath: path), from: "Ana")
}
for message in conversation.messages {
    let isSensitive = try? await message.attachment.isSensitive
    print("\(message.sender): \(isSensitive.map { $0 ? "sensitive" : "not sensitive" } ?? "could not be checked")")
}
