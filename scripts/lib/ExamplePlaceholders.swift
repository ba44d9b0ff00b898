// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The values and types of an app that examples in documentation comments use without declaring them.
// scripts/check-examples type-checks this file with the examples. Nothing in it is ever run.

import Foundation
import InterventionKit
import SensitiveContentAnalysis

func placeholder<Value>() -> Value { fatalError("Examples are type-checked only.") }

let fileURL: URL = placeholder()
let data: Data = placeholder()
/// An open memory file or buffer of a device.
let descriptor: Int32 = placeholder()

let analyzer: SCSensitivityAnalyzer = placeholder()
/// The analyzer of a new stream.
let streamAnalyzer: SCVideoStreamAnalyzer = placeholder()

let checker: AttachmentChecker = placeholder()
let attachment: MediaAttachment = placeholder()
let session: LiveSession = placeholder()
let flow: InterventionFlow = placeholder()
let words: InterventionWords = placeholder()

let view = View()
let upload = Upload()
let call = Call()
let connection = Connection()
let contact = Contact()
let decoder = Decoder()
let surface: Surface = placeholder()
let buffer: DecodedBuffer = placeholder()

/// A view that shows a picture, a video or a stream, or a cover in its place.
final class View: Sendable {
    var isCovered: Bool {
        get { placeholder() }
        set {}
    }
    var progress: Double {
        get { placeholder() }
        set {}
    }
    func show(_ fileURL: URL) {}
    func show(_ file: FileHandle) {}
    func show(_ image: CGImage) {}
    func cover(_ words: String) {}
    func explain(_ words: String) {}
    func say(_ words: String) {}
    func write(_ message: String) {}
    func addButton(_ label: String) {}
    func addLink(_ title: String, _ address: URL) {}
    func draw(_ flow: InterventionFlow) {}
    func display(_ frame: CVPixelBuffer) {}
    func display(_ picture: SCVideoStreamAnalyzer.Gate.Picture) {}
    func display(_ picture: SCVideoStreamAnalyzer.Picture) {}
    func display(_ picture: LiveSession.Picture) {}
    func displayCover(width: Int, height: Int) {}
    func answer() async -> Answer { placeholder() }
}

enum Answer {
    case goOn
    case askAgain
    case leave
}

final class Upload: Sendable {
    var isAccepted: Bool {
        get { placeholder() }
        set {}
    }
}

/// A video call.
final class Call: Sendable {
    var caller: String { placeholder() }
    var sessionDescription: String { placeholder() }
    var frames: AsyncStream<CVPixelBuffer> { placeholder() }
    var packets: AsyncStream<Packet> { placeholder() }
    var showsWarning: Bool {
        get { placeholder() }
        set {}
    }
    var stopsVideo: Bool {
        get { placeholder() }
        set {}
    }
    var isMuted: Bool {
        get { placeholder() }
        set {}
    }
    /// Displays the call as without an analyzer, until the policy changes.
    func analysisIsDisabled() {}
}

struct Packet: Sendable {
    let bytes: [UInt8]
    let time: Duration
}

final class Connection: Sendable {
    func receive() async throws -> [UInt8]? { placeholder() }
}

/// A person who sends and receives messages.
final class Contact: Sendable {
    func block() {}
    func send(_ file: FileHandle) async throws {}
}

/// A decoder of the app.
final class Decoder: Sendable {
    func copyFrame(to memory: UnsafeMutableRawPointer, bytesPerRow: Int) {}
}

/// A surface of Cairo.
struct Surface: Sendable {
    let width: Int
    let height: Int
    let stride: Int
    let pixels: Data
}

/// A buffer from the pool of a decoder.
@safe
struct DecodedBuffer: @unchecked Sendable {
    let width: Int
    let height: Int
    let luma: UnsafeRawPointer
    let lumaStride: Int
    let chroma: UnsafeRawPointer
    let chromaStride: Int
    func release() {}
}
