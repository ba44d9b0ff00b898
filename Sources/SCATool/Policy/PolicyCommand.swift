// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser

package struct PolicyCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Show and set who is warned of sensitive content.",
        discussion: """
            Communication Safety is a parent's choice for a child's account: everything sensitive is explained, before \
            it is viewed and before it is sent. Sensitive Content Warning is a person's own choice. The stricter holds.
            """,
        subcommands: [Show.self, Set.self, AllowApp.self, DenyApp.self, Watch.self, Child.self],
        defaultSubcommand: Show.self)

    package init() {}
}
