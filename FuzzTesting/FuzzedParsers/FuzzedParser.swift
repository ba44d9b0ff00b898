// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HelperProtocol
internal import ModelStore
internal import SensitivityPolicy

/// A parser of the host for input from others; its name is that of the folder of its corpus.
package enum FuzzedParser: String, CaseIterable, Sendable {
    case protocolMessages = "protocol-messages"
    case manifests = "manifests"
    case settings = "settings"
    case entitlements = "entitlements"

    /// Something was understood, and then not kept.
    package struct Contradiction: Error {
        let words: String
    }

    /// Has the parser read anything at all; that it refuses most of it is right.
    ///
    /// - Throws: `Contradiction`.
    package func read(_ bytes: [UInt8]) throws(Contradiction) {
        switch self {
        case .protocolMessages: try Self.readMessage(bytes)
        case .manifests:
            try? JSONDecoder().decode(ModelManifest.self, from: Data(bytes)).validate()
        case .settings: try Self.readSettings(String(decoding: bytes, as: UTF8.self))
        case .entitlements: _ = Entitlement.fault(in: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Does the same with an input of libFuzzer, and ends the process at a contradiction.
    ///
    /// - Returns: 0, as libFuzzer wants it.
    package func stopAtContradiction(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do {
            try read(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
        } catch {
            fatalError(error.words)
        }
        return 0
    }

    /// What is understood is said again in the same words.
    private static func readMessage(_ bytes: [UInt8]) throws(Contradiction) {
        guard let serial = try? MessageHeader(of: bytes).serial else { return }
        if let reply = try? HelperReply(decoding: bytes) {
            guard (try? HelperReply(decoding: reply.encoded(answering: serial))) == reply else {
                throw Contradiction(words: "a reply changes when it is written and read: \(reply)")
            }
        }
        try readRequest(DecoderRequest.self, bytes, serial)
        try readRequest(ModelRequest.self, bytes, serial)
        try readRequest(ImporterRequest.self, bytes, serial)
    }

    private static func readRequest<Request: HelperRequest>(
        _: Request.Type, _ bytes: [UInt8], _ serial: UInt64
    ) throws(Contradiction) {
        guard let request = try? Request(decoding: bytes) else { return }
        guard (try? Request(decoding: request.encoded(as: serial))) == request else {
            throw Contradiction(words: "a request changes when it is written and read: \(request)")
        }
    }

    /// A switch that is set in settings is read back, and every other member stays.
    private static func readSettings(_ text: String) throws(Contradiction) {
        _ = try? AdministratorSettings(parsing: text)
        let settings = try? UserSettings(parsing: text)
        guard var changed = try? SettingsValue(parsing: text),
            (try? changed.set(UserSettings.Key.testMode, to: true, in: [])) != nil
        else { return }
        guard let written = try? changed.text, (try? SettingsValue(parsing: written)) == changed else {
            throw Contradiction(words: "settings change when they are written and read: \(changed)")
        }
        guard settings == nil || (try? UserSettings(parsing: written))?.isTestMode == true else {
            throw Contradiction(words: "the switch is not set")
        }
    }
}
