// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SensitivityPolicy

extension PolicyCommand {
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Switch your own Sensitive Content Warning on or off.")

        @Argument(help: "Whether you want to be warned of sensitive content.")
        var warning: Switch?

        @Option(help: "Whether the test pattern counts as sensitive content, for trying things out.")
        var testMode: Switch?

        func validate() throws {
            guard warning != nil || testMode != nil else {
                throw ValidationError("Say what to set: 'on', 'off' or --test-mode.")
            }
        }

        func run() async throws {
            if let warning {
                try OwnSettings.set(UserSettings.Key.contentWarning, to: warning == .on)
                StandardOutput.write(line: "Sensitive Content Warning is \(warning.rawValue).")
            }
            if let testMode {
                try OwnSettings.set(UserSettings.Key.testMode, to: testMode == .on)
                StandardOutput.write(line: "Test mode is \(testMode.rawValue).")
            }
            await OwnSettings.noteWhatHolds()
        }
    }

    struct AllowApp: AsyncParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Be warned in one app, whatever is set for all.")

        @OptionGroup var chosen: AppArgument

        func run() async throws {
            try await OwnSettings.setWarning(true, inApp: chosen.app)
        }
    }

    struct DenyApp: AsyncParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Not be warned in one app, whatever is set for all.")

        @OptionGroup var chosen: AppArgument

        func run() async throws {
            try await OwnSettings.setWarning(false, inApp: chosen.app)
        }
    }

    struct ForgetApp: AsyncParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Take back 'allow-app' or 'deny-app', so that the choice for all apps holds.")

        @OptionGroup var chosen: AppArgument

        func run() async throws {
            try await OwnSettings.setWarning(nil, inApp: chosen.app)
        }
    }

    struct AppArgument: ParsableArguments {
        @Argument(help: ArgumentHelp("The name of its executable, or its path.", valueName: "app"), completion: .file())
        var app: String

        func validate() throws {
            guard !app.isEmpty else { throw ValidationError("Name the app by its executable's name or its path.") }
        }
    }
}

/// The settings of the person at the keyboard.
private enum OwnSettings {
    /// Writes a switch to the person's settings file, or removes it for nil; throws if the file stays refused, so the switch has no effect.
    static func set(_ key: String, to value: Bool?, in path: [String] = []) throws {
        guard let file = PolicySources().userFile else {
            throw CommandFailure("There is no folder for settings. Set HOME or XDG_CONFIG_HOME to an absolute path.")
        }
        let fault: SettingsError?
        do {
            fault = try SettingsWriter.setPersonal(key, to: value, in: path, file: file)
        } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.outputCode)
        }
        if let fault {
            throw CommandFailure(
                "The change was written, but the file is not obeyed and counts as on: \(file)"
                    + " \(TerminalText.printable(fault.description)).")
        }
    }

    static func setWarning(_ isOn: Bool?, inApp app: String) async throws {
        try set(app, to: isOn, in: [UserSettings.Key.apps])
        let app = TerminalText.printable(app)
        let text =
            isOn.map { "You are \($0 ? "" : "not ")warned in \(app)." }
            ?? "You have no choice for \(app) alone. The choice for all apps holds there; see 'sca policy show'."
        StandardOutput.write(line: text)
        await noteWhatHolds()
    }

    /// Prints that a setting does not count yet, if the account is under Communication Safety.
    static func noteWhatHolds() async {
        guard await PolicyMonitor.shared.settledSnapshot().communicationSafety.isInForce else { return }
        StandardOutput.write(
            line: "It counts only when this account is no longer under Communication Safety; see 'sca policy show'.")
    }
}
