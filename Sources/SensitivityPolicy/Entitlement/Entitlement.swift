// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Whether an app may ask for analysis because its user has switched it on.
package enum Entitlement: Sendable, Hashable {
    /// The app has it, in this file.
    case present(file: String)
    /// It does not; the text says why, and what to do.
    case missing(String)

    package var isPresent: Bool {
        if case .present = self { true } else { false }
    }

    /// Looks for the entitlement of an app.
    ///
    /// Beside its executable, in its bundles of resources, and where an administrator puts it for all users; the first
    /// file that there is decides.
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

    /// The fault of a property list, or nil where it grants the entitlement.
    package static func fault(in text: String) -> String? {
        let data = Data(text.utf8)
        // PropertyListDecoder overflows the stack where a list is nested thousands of levels deep.
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

    /// Apple's key, so that the same file serves on both systems.
    static let key = "com.apple.developer.sensitivecontentanalysis.client"
}

/// Which app asks.
package struct AppIdentity: Sendable, Hashable {
    /// The executable, with links resolved.
    package let path: String
    /// The last part of the path.
    package var name: String { String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]) }
    package var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    /// - Parameter path: absolute.
    package init(path: String) {
        self.path = path
    }

    /// The running program, by the kernel's word and not by that of its caller.
    package static let ofThisProcess = AppIdentity(path: executablePath ?? "/")

    /// The running program, or nil where the kernel does not tell it.
    package static let executablePath: String? = {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        // What the kernel appends after an update of the running program.
        let ending = " (deleted)"
        return path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : path
    }()
}
