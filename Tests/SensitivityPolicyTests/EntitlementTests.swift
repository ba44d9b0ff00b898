// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SensitivityPolicy

@Suite("Entitlements")
struct EntitlementTests {
    static func list(_ content: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">\(content)</plist>
        """
    }

    static func entry(_ value: String) -> String {
        list("<dict><key>com.apple.developer.sensitivecontentanalysis.client</key>\(value)</dict>")
    }

    static let good = entry("<array><string>analysis</string></array>")

    @Test(
        "Entitlements are read strictly, and a refusal names the mistake",
        arguments: [
            (good, nil), ("", "is no property list"), ("analysis", "is no dictionary at its top"),
            (String(good.dropLast(20)), "is no property list"), (list("<array/>"), "is no dictionary at its top"),
            (list("<dict/>"), "lacks the key"), (entry("<string>analysis</string>"), "that is no array"),
            (entry("<true/>"), "that is no array"), (entry("<array/>"), "that is not [\"analysis\"]"),
            (entry("<array><string>Analysis</string></array>"), "that is not [\"analysis\"]"),
            (entry("<array><string>analysis</string><string>more</string></array>"), "that is not [\"analysis\"]"),
            (entry("<array><integer>1</integer></array>"), "that holds more than strings"),
            (
                list(String(repeating: "<array>", count: 4000) + String(repeating: "</array>", count: 4000)),
                "is no property list"
            ),
        ] as [(String, String?)])
    func faults(text: String, words: String?) {
        let fault = Entitlement.fault(in: text)
        if let words {
            #expect(fault?.contains(words) == true, "\(String(describing: fault))")
        } else {
            #expect(fault == nil)
        }
    }

    @Test("The first entitlement beside the app, in its resources or in the administrator's folder decides")
    func places() async throws {
        try await TestFiles.withFolder { folder in
            func put(_ name: String, _ text: String) throws {
                let file = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            let app = AppIdentity(path: folder.appendingPathComponent("bin/chat").path)
            func found() -> Entitlement {
                Entitlement.of(app, administratorFolder: folder.appendingPathComponent("etc").path)
            }
            guard case .missing(let none) = found() else { return #expect(Bool(false)) }
            #expect(none.contains("chat.entitlements") && none.contains(Entitlement.key))
            try put("etc/chat.entitlements", Self.good)
            #expect(found() == .present(file: folder.path + "/etc/chat.entitlements"))
            try put("bin/Chat_Chat.resources/Chat.entitlements", Self.list("<dict/>"))
            guard case .missing(let broken) = found() else { return #expect(Bool(false)) }
            #expect(broken.hasPrefix("Chat.entitlements lacks the key"))
            try put("bin/Chat_Other.resources/Other.entitlements", Self.good)
            guard case .missing(let several) = found() else { return #expect(Bool(false)) }
            #expect(several.hasPrefix("There are 2 .entitlements files"))
            try put("bin/chat.entitlements", Self.good)
            #expect(found() == .present(file: folder.path + "/bin/chat.entitlements"))
            try put("bin/chat.entitlements", String(repeating: " ", count: 2 << 20))
            guard case .missing(let large) = found() else { return #expect(Bool(false)) }
            #expect(large.hasPrefix("chat.entitlements is larger than 64 KiB"))
        }
    }
}
