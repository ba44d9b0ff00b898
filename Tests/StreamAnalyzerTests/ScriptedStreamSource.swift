// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import HelperProtocol
import LiveStreams
import Synchronization
import TestSupport
import VideoCapture

@testable import SensitiveContentAnalysis

/// A source whose verdicts follow from the brightness of the frame, and which counts its calls.
final class ScriptedStreamSource: Sendable {
    private let state = Mutex(State())

    struct State: Sendable {
        var terms = StreamTerms(policy: .simple)
        var failure: AnalysisFailure?
        var isHeld = false
        var judgedCount = 0
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    var judgedCount: Int { state.withLock { $0.judgedCount } }

    /// The number of tasks that follow the policy.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    func fail(_ failure: AnalysisFailure?) { state.withLock { $0.failure = failure } }

    /// Makes analyses wait, or lets them end.
    func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    func change(_ policy: AnalysisPolicy) {
        let listeners = state.withLock { state in
            state.terms = StreamTerms(policy: policy, revision: state.terms.revision + 1)
            return state.listeners
        }
        for listener in listeners { listener.yield() }
    }

    /// - Parameter camera: the device that a capture opens; nil for none.
    func source(delay: Duration = .zero, camera: FakeCaptureLayer? = nil) -> StreamSource {
        StreamSource(
            terms: { self.state.withLock { $0.terms } },
            changes: {
                AsyncStream { continuation in self.state.withLock { $0.listeners.append(continuation) } }
            },
            judge: { content, terms in
                if delay > .zero { try await Task.sleep(for: delay) }
                while self.state.withLock({ $0.isHeld }) { try await Task.sleep(for: .milliseconds(2)) }
                let failure = self.state.withLock { state in
                    state.judgedCount += 1
                    return state.failure
                }
                if let failure { throw failure }
                guard case .pixels(let pixels) = content else { throw CancellationError() }
                return try Self.finding(in: pixels, terms)
            }, check: {}, explain: { SensitivityAnalysisError($0) }, prepare: {},
            decode: { format, framing, receive in
                try Self.decoders.decodeStream(
                    StreamRequest(format: format), beginning: framing.header, receive: receive)
            },
            capture: { input, receive in
                guard case .device(_, let wish) = input, let camera else {
                    throw AnalysisFailure(.inputUnreadable, "There is no camera.")
                }
                return try LiveCapture(
                    device: { () throws(AnalysisFailure) in
                        try CaptureDevice(camera, wish, patience: .seconds(2))
                    },
                    decode: { receive in
                        try Self.decoders.decodeStream(
                            StreamRequest(format: .packets), beginning: StreamFraming.packets(codec: "MJPG").header,
                            receive: receive)
                    }, receive: receive)
            })
    }

    private static let decoders = HelperPool(
        locator: HelperLocator(name: HelperKind.videoDecoder.executableName, folders: [TestFiles.products.path]),
        maximumCount: 1, settings: HelperSettings(), kind: .videoDecoder)

    /// Bright frames are sensitive, and frames of medium brightness are suspected.
    private static func finding(in pixels: VideoPixels, _ terms: StreamTerms) throws -> StreamFinding {
        let view = try pixels.reducedViews(minimumWidth: 8, minimumHeight: 8)[0]
        let level = view.storage.withBytes { $0[0] }
        return StreamFinding(
            level: level > 200 ? .strong : level > 100 ? .suspected : .harmless,
            types: level > 230 ? [.goreOrViolence] : level > 100 ? [.sexuallyExplicit] : [], score: Float(level) / 255,
            modelName: "scripted", policy: terms.policy)
    }

    /// Returns a frame of one level of grey.
    static func frame(_ level: UInt8, width: Int = 64, height: Int = 36) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer(width: width, height: height, pixelFormat: .bgra32)
        _ = buffer.withPlane(0) { $0.initializeMemory(as: UInt8.self, repeating: level) }
        return buffer
    }
}

/// A clock of a service that stands still until a test moves it.
final class ManualStreamClock: Sendable {
    private let time = Time()
    let service: StreamService<CVPixelBuffer>

    private final class Time: Sendable {
        let value = Mutex(ContinuousClock.Instant.now)
    }

    init() {
        service = StreamService(laneCount: 2) { [time] in time.value.withLock { $0 } }
    }

    /// Moves the clock, and lets the service notice it.
    func pass(_ duration: Duration) {
        time.value.withLock { $0 += duration }
        _ = service.status(of: 0)
    }
}

extension SCVideoStreamAnalyzer {
    /// Creates an analyzer with a scripted source and a service of its own, whose clock stands still.
    static func scripted(
        _ script: ScriptedStreamSource, participant: String = "a", direction: StreamDirection = .incoming,
        service: StreamService<CVPixelBuffer> = ManualStreamClock().service, delay: Duration = .zero,
        camera: FakeCaptureLayer? = nil
    ) throws -> SCVideoStreamAnalyzer {
        SCVideoStreamAnalyzer(
            try StreamBacking(
                participant, direction, script.source(delay: delay, camera: camera), service: service))
    }
}
