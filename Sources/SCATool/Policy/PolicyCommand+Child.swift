// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SensitivityPolicy

extension PolicyCommand {
    struct Child: ParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Put an account under Communication Safety, or show whether it is.",
            discussion: """
                For administrators. Where the desktop keeps parental controls (AccountsService with malcontent), of \
                all that a parent has set there only the section sex-nudity is changed. Elsewhere the choice is kept in \
                /etc/sensitive-content-analysis/communication-safety.json.
                """)

        @Argument(
            help: ArgumentHelp("The login name of the account.", valueName: "user"),
            completion: .shellCommand("cut -d: -f1 /etc/passwd"))
        var user: String

        @Argument(help: "Whether the account is to be under Communication Safety; shown unless given.")
        var setting: Switch?

        func run() throws {
            var isWriting = false
            do throws(ChildAccount.Failure) {
                let account = try ChildAccount(name: user)
                if let setting {
                    isWriting = true
                    try account.setCommunicationSafety(setting == .on)
                    isWriting = false
                }
                for line in try Self.description(of: account) { StandardOutput.write(line: line) }
            } catch {
                throw CommandFailure(
                    error.description, exitCode: isWriting ? CommandFailure.outputCode : CommandFailure.generalCode)
            }
        }

        private static func description(of account: ChildAccount) throws(ChildAccount.Failure) -> [String] {
            let name = account.name
            switch try account.place {
            case .file:
                let isOn = account.fileSetting == true
                return [
                    "\(name) is \(isOn ? "" : "not ")under Communication Safety (\(PolicySources.administratorFile))."
                ]
            case .accountsService:
                guard let filter = try account.filter() else {
                    return ["\(name) is not under Communication Safety: AccountsService knows of no parental controls."]
                }
                let value = filter.sections[OARSFilter.nudity]
                let says = "sex-nudity is \(value.map(TerminalText.printable) ?? "not restricted")"
                var lines: [String] =
                    switch filter.communicationSafety {
                    case .on: ["\(name) is under Communication Safety: \(says)."]
                    case .off: ["\(name) is not under Communication Safety: \(says)."]
                    case .unknown:
                        ["\(name) is treated as under Communication Safety: \(says), which is not understood."]
                    }
                if account.fileSetting == true {
                    lines = ["\(name) is under Communication Safety (\(PolicySources.administratorFile))."]
                }
                return lines + (filter.communicationSafety == .off ? [PolicyText.ageNote] : [])
            }
        }
    }
}
