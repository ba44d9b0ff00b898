// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import Glibc
internal import SensitivityPolicy

/// The policy with its sources, in words.
struct PolicyText {
    let snapshot: PolicySnapshot
    /// Whether the person asks about one app.
    let isAboutApp: Bool
    /// The path of the person's settings file; nil without a home folder, or if the text need not name it.
    let userFile: String?

    static let ageNote =
        "Note: an age of 14 or more in GNOME's parental controls leaves sex-nudity unrestricted."

    /// The policy for an app that demands nothing of itself.
    var policy: AnalysisPolicy {
        if isAboutApp { return snapshot.policy(demand: .disabled) }
        return EffectivePolicy.policy(
            communicationSafety: snapshot.communicationSafety, contentWarning: snapshot.contentWarning,
            isEntitled: true, demand: .disabled)
    }

    static func name(of policy: AnalysisPolicy) -> String {
        switch policy {
        case .disabled: "disabled"
        case .simple: "simpleInterventions"
        case .descriptive: "descriptiveInterventions"
        }
    }

    var lines: [String] {
        var lines = ["\(Self.name(of: policy)): \(meaning)", ""]
        lines += communicationSafety + [""] + contentWarning + [""]
        lines.append("Test mode: \(testMode)")
        let advice = advice
        return lines + (advice.isEmpty ? [] : [""] + advice)
    }

    private var meaning: String {
        let subject = isAboutApp ? snapshot.app.name : "apps of this account"
        return switch policy {
        case .disabled: "for \(subject), nothing is analysed unless an app demands it of itself."
        case .simple: "in \(subject), sensitive content is covered, with a brief warning."
        case .descriptive: "in \(subject), sensitive content is covered and explained, also before it is sent."
        }
    }

    private var communicationSafety: [String] {
        let decides = snapshot.communicationSafety.isInForce ? "  <- decides" : ""
        let state =
            switch snapshot.communicationSafety {
            case .off: "off"
            case .on: "on"
            case .unknown: "unknown, which counts as on"
            }
        return [
            "Communication Safety (a parent's choice): \(state)\(decides)"
        ] + snapshot.sourceStates.map { "  \($0.title): \(TerminalText.printable($0.summary))" }
    }

    private var contentWarning: [String] {
        let isDecisive = snapshot.communicationSafety == .off && policy == .simple
        let state =
            switch snapshot.contentWarning {
            case _ where snapshot.userFile == nil: "does not count under Communication Safety"
            case .off: "off"
            case .on: "on"
            case .unknown: "unknown, which counts as on"
            }
        var lines = ["Sensitive Content Warning (your own choice): \(state)\(isDecisive ? "  <- decides" : "")"]
        let path = userFile ?? "settings.json"
        switch snapshot.userFile {
        case nil: break
        case .absent?: lines.append("  \(path): not there")
        case .refused(let reason)?: lines.append("  \(path): cannot be used: it \(TerminalText.printable(reason))")
        case .read(let settings)?:
            lines.append(
                "  \(path): \(settings.contentWarning.map { $0 ? "on" : "off" } ?? "says nothing") for all apps")
            lines += settings.apps.sorted { $0.key < $1.key }.map { name, isOn in
                "    \(TerminalText.printable(name)): \(isOn ? "on" : "off")"
            }
        }
        return lines + ["  entitlement: \(entitlement)"]
    }

    private var entitlement: String {
        guard isAboutApp else { return "each app needs one; see one app with --app" }
        return switch snapshot.entitlement {
        case .present(let file): TerminalText.printable(file)
        case .missing(let reason): "missing. \(TerminalText.printable(reason))"
        }
    }

    private var testMode: String {
        if snapshot.communicationSafety.isInForce { return "does not count under Communication Safety" }
        return AnalysisAuthority(snapshot, demand: .simple).findsTestPatterns
            ? "on: the test pattern counts as sensitive content" : "off"
    }

    /// The next steps for the person.
    private var advice: [String] {
        var advice: [String] = []
        if case .answered(let filter?) = snapshot.parentalControls, filter.communicationSafety == .off {
            advice.append(Self.ageNote)
        }
        if snapshot.communicationSafety.isInForce, AdministratorRights.areHeld {
            advice.append(
                "Warning: this account has administrator rights, so whoever uses it can switch Communication Safety off."
                    + " Give a child an account without them.")
        }
        if case .unanswered = snapshot.parentalControls {
            advice.append(
                "Until the parental controls answer, everything counts as on. Check that the services run: systemctl"
                    + " status dbus accounts-daemon. Where they are not wanted, an administrator writes"
                    + " \"usesAccountsService\": false into \(PolicySources.administratorFile).")
        }
        if case .read(let settings) = snapshot.administratorFile, !settings.unknownNames.isEmpty {
            let names = settings.unknownNames.prefix(5).map { "\"\(TerminalText.printable($0))\"" }
            advice.append(
                "Warning: \(PolicySources.administratorFile) names accounts that this machine does not have:"
                    + " \(names.joined(separator: ", ")). Their entries protect nobody. Correct the names, or remove"
                    + " them.")
        }
        if policy == .disabled, snapshot.contentWarning == .off {
            advice.append("To be warned yourself: sca policy set on")
        }
        if snapshot.communicationSafety == .off {
            advice.append("For a child's account, as an administrator: sudo sca policy child -- USER on")
        }
        return advice
    }
}

/// Finds out whether the account can become the administrator.
private enum AdministratorRights {
    /// Whether the account is root, or in a group that distributions permit to become root.
    static var areHeld: Bool {
        if getuid() == 0 { return true }
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(Int32(groups.count), &groups)
        guard count > 0 else { return false }
        let names = ["sudo", "wheel", "admin", "docker", "lxd"]
        return names.contains { name in
            var buffer = [CChar](repeating: 0, count: 1 << 16)
            var entry = unsafe group()
            var found: UnsafeMutablePointer<group>?
            guard unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else {
                return false
            }
            return unsafe groups.prefix(Int(count)).contains(entry.gr_gid)
        }
    }
}
