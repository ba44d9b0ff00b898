// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Whether an app has the entitlement, without which its user's choice of warnings does not allow it to analyse.
package enum Entitlement: Sendable, Hashable {
    /// The app has the entitlement, in this file.
    case present(file: String)
    /// The app has no entitlement; the text is the reason with the remedy.
    case missing(String)

    package var isPresent: Bool {
        if case .present = self { true } else { false }
    }

    /// Looks for the entitlement of an app.
    ///
    /// It looks beside the executable, in the resource bundles there, and in the administrator's folder for all users.
    /// The first file that exists decides.
    ///
    /// - Parameter administratorFolder: the folder of the administrator's entitlements.
    package static func of(
        _ app: AppIdentity, administratorFolder: String
    ) -> Entitlement {
        let files = FileManager.default
        let beside = "\(app.path).entitlements"
        if files.fileExists(atPath: beside) { return read(beside) }
        let bundles = (try? files.contentsOfDirectory(atPath: app.folder)) ?? []
        let bundled = bundles.filter { $0.hasSuffix(".resources") }.flatMap { bundle in
            let folder = "\(app.folder)/\(bundle)"
            return ((try? files.contentsOfDirectory(atPath: folder)) ?? [])
                .filter { $0.hasSuffix(".entitlements") }.map { "\(folder)/\($0)" }
        }
        if bundled.count > 1 {
            return .missing(
                "There are \(bundled.count) .entitlements files in the resources beside the app. Keep one, or put it"
                    + " beside the executable as \(app.name).entitlements.")
        }
        if let file = bundled.first { return read(file) }
        let administrators = "\(administratorFolder)/\(app.name).entitlements"
        if files.fileExists(atPath: administrators) { return read(administrators) }
        return .missing(
            "There is no \(app.name).entitlements beside the app, in its resources or in \(administratorFolder). Ship one"
                + " with the key \(key).")
    }

    private static func read(_ path: String) -> Entitlement {
        let name = URL(fileURLWithPath: path).lastPathComponent
        switch SettingsReader.entitlement(path) {
        case .absent: return .missing("\(name) is gone. Install the app anew.")
        case .refused(let reason): return .missing("\(name) \(reason).")
        case .read(let text):
            if let fault = fault(in: text) { return .missing("\(name) \(fault).") }
            return .present(file: path)
        }
    }

    /// Returns the fault of a property list, or nil if the list grants the entitlement.
    package static func fault(in text: String) -> String? {
        let data = Data(text.utf8)
        // PropertyListDecoder overflows the stack if a list is nested thousands of levels deep.
        guard let list = try? unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil) else {
            return "is no property list"
        }
        guard let dictionary = list as? [String: Any] else { return "is no dictionary at its top" }
        guard let value = dictionary[key] else { return "lacks the key \(key)" }
        guard let values = value as? [Any] else {
            return "has a value for \(key) that is no array; it is [\"analysis\"]"
        }
        guard let names = values as? [String] else { return "has a value for \(key) that holds more than strings" }
        guard names == ["analysis"] else { return "has a value for \(key) that is not [\"analysis\"]" }
        return nil
    }

    /// The key of the entitlement, which is Apple's, so the same file works on both systems.
    static let key = "com.apple.developer.sensitivecontentanalysis.client"
}
