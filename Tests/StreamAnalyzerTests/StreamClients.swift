// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// No @testable here: this is code as apps for Apple's systems have it.
import Foundation
import SensitiveContentAnalysis

/// An app that calls everything on one serial queue.
final class SerialQueueClient: @unchecked Sendable {
    private let queue = DispatchQueue(label: "analysis")
    private var analyzer: SCVideoStreamAnalyzer?
    private(set) var isBlurred = false
    private var observation: Task<Void, Never>?

    func start(_ make: @escaping @Sendable () throws -> SCVideoStreamAnalyzer) {
        queue.sync {
            guard let analyzer = try? make() else { return }
            self.analyzer = analyzer
            observation = Task { [weak self] in
                do {
                    for try await analysis in analyzer.analysisChanges {
                        self?.queue.async { [weak self] in self?.isBlurred = analysis.isSensitive }
                    }
                } catch {
                    self?.queue.async { [weak self] in self?.isBlurred = true }
                }
            }
        }
    }

    func push(_ pixelBuffer: CVPixelBuffer) {
        queue.async { self.analyzer?.analyze(pixelBuffer) }
    }

    func resume() {
        queue.async {
            self.analyzer?.continueStream()
            self.isBlurred = false
        }
    }

    func stop() {
        queue.sync {
            analyzer?.endAnalysis()
            analyzer = nil
        }
        observation?.cancel()
    }

    var blurs: Bool { queue.sync { isBlurred } }
}

/// A wrapper that listens before it begins, and tells generations of analyzers apart.
actor StreamMonitorClient {
    enum Event: Sendable, Equatable {
        case sensitive(indicates: Bool, interrupts: Bool, mutes: Bool)
        case clear
        case failed
    }

    private var generation = 0
    private var analyzer: SCVideoStreamAnalyzer?
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func begin(_ make: @Sendable () throws -> SCVideoStreamAnalyzer) throws {
        generation += 1
        let current = generation
        let analyzer = try make()
        self.analyzer = analyzer
        let changes = analyzer.analysisChanges
        Task {
            do {
                for try await analysis in changes { report(analysis, current) }
            } catch {
                if current == generation { continuation.yield(.failed) }
            }
        }
    }

    private func report(_ analysis: SCSensitivityAnalysis, _ generation: Int) {
        guard generation == self.generation else { return }
        continuation.yield(
            analysis.isSensitive
                ? .sensitive(
                    indicates: analysis.shouldIndicateSensitivity, interrupts: analysis.shouldInterruptVideo,
                    mutes: analysis.shouldMuteAudio) : .clear)
    }

    func push(_ frame: CVPixelBuffer) { analyzer?.analyze(frame) }

    func resume() { analyzer?.continueStream() }

    func end() {
        analyzer?.endAnalysis()
        analyzer = nil
    }
}

/// A renderer for WebRTC: two frames a second, I420 to NV12, hidden on `shouldInterruptVideo || isSensitive`.
///
/// The client that it is modelled on reads the clock of the system, where tests pass a clock of their own.
final class WebRTCRendererClient: @unchecked Sendable {
    /// A frame as WebRTC delivers it: three planes.
    struct I420 {
        let width: Int32
        let height: Int32
        let dataY: UnsafePointer<UInt8>
        let dataU: UnsafePointer<UInt8>
        let dataV: UnsafePointer<UInt8>
        let strideY: Int32
        let strideU: Int32
        let strideV: Int32
    }

    private let queue = DispatchQueue(label: "renderer")
    private let analyzer: SCVideoStreamAnalyzer
    private var lastAnalysis = Date.distantPast
    private let now: () -> Date
    private var hidden = false
    private var muted = false

    init(_ analyzer: SCVideoStreamAnalyzer, now: @escaping () -> Date) {
        self.analyzer = analyzer
        self.now = now
        Task { [weak self] in
            do {
                for try await analysis in analyzer.analysisChanges {
                    self?.queue.async { [weak self] in
                        self?.hidden = analysis.shouldInterruptVideo || analysis.isSensitive
                        self?.muted = analysis.shouldMuteAudio
                    }
                }
            } catch {
                self?.queue.async { [weak self] in self?.hidden = true }
            }
        }
    }

    var isHidden: Bool { queue.sync { hidden } }
    var isMuted: Bool { queue.sync { muted } }

    /// Returns whether the frame was analysed.
    func renderFrame(_ frame: I420) -> Bool {
        queue.sync {
            guard now().timeIntervalSince(lastAnalysis) >= 0.5, let buffer = makePixelBuffer(frame) else {
                return false
            }
            lastAnalysis = now()
            analyzer.analyze(buffer)
            return true
        }
    }

    private func makePixelBuffer(_ frame: I420) -> CVPixelBuffer? {
        var pixelBuffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(
            kCFAllocatorDefault, Int(frame.width), Int(frame.height), kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            nil,
            &pixelBuffer)
        guard status == kCVReturnSuccess, let pixelBuffer else { return nil }
        CVPixelBufferLockBaseAddress(pixelBuffer, [])
        defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, []) }
        guard let luma = CVPixelBufferGetBaseAddressOfPlane(pixelBuffer, 0),
            let chroma = CVPixelBufferGetBaseAddressOfPlane(pixelBuffer, 1)
        else { return nil }
        let lumaStride = CVPixelBufferGetBytesPerRowOfPlane(pixelBuffer, 0)
        for row in 0..<Int(frame.height) {
            memcpy(luma + row * lumaStride, frame.dataY + row * Int(frame.strideY), Int(frame.width))
        }
        let chromaStride = CVPixelBufferGetBytesPerRowOfPlane(pixelBuffer, 1)
        for row in 0..<CVPixelBufferGetHeightOfPlane(pixelBuffer, 1) {
            let target = (chroma + row * chromaStride).assumingMemoryBound(to: UInt8.self)
            for column in 0..<CVPixelBufferGetWidthOfPlane(pixelBuffer, 1) {
                target[2 * column] = frame.dataU[row * Int(frame.strideU) + column]
                target[2 * column + 1] = frame.dataV[row * Int(frame.strideV) + column]
            }
        }
        return pixelBuffer
    }
}

/// The steps of Apple's article about video calls.
@MainActor final class ArticleClient {
    let analyzer: SCVideoStreamAnalyzer
    private(set) var isInterrupted = false
    private(set) var isMuted = false
    private(set) var lastError: (any Error)?

    init(_ analyzer: SCVideoStreamAnalyzer) {
        self.analyzer = analyzer
        analyzer.analysisChangedHandler = { [weak self] analysis, error in
            self?.lastError = error
            if let analysis { self?.handle(analysis) }
        }
    }

    private func handle(_ analysis: SCSensitivityAnalysis) {
        if analysis.shouldInterruptVideo { isInterrupted = true }
        if analysis.shouldMuteAudio { isMuted = true }
    }

    func userChoseToContinue() {
        analyzer.continueStream()
        isInterrupted = false
        isMuted = false
    }
}
