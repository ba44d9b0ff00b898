// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterventionKit
import SensitiveContentAnalysis
import Synchronization

/// An analyzer that takes its verdict from the first word of a file.
final class ScriptedAnalysis: Sendable {
    private let state: Mutex<State>

    struct State {
        var policy: SCSensitivityAnalysisPolicy
        var listeners: [AsyncStream<Void>.Continuation] = []
        var judged: [URL] = []
        var kinds: [MediaKind] = []
        /// The covers that were requested.
        var covers: [InterventionPresentation.Cover] = []
        /// An action that runs once, while a cover is made.
        var duringCover: (@Sendable () -> Void)?
        /// An action that runs once, before a file is read.
        var beforeReading: (@Sendable (URL) throws -> Void)?
        /// The conditions of verdicts other than the policy, for example the model.
        var conditions = ["a model"]
        /// Whether checks fail because analysis is disabled, whatever the policy is.
        var isRefused = false
        var running = 0
        var mostRunning = 0
        var cancelled = 0
        /// The kinds of media whose checks wait until they are released.
        var heldKinds: Set<MediaKind> = []
        var held: [CheckedContinuation<Void, Never>] = []
        /// An action that runs once, after a file was read and before its verdict is known.
        var afterReading: (@Sendable (URL) throws -> Void)?
        /// The verdict on the pixels of images; nil for that on the file.
        var pixelVerdict: MediaVerdict?
        /// An action that runs once, while an image is decoded.
        var duringDecoding: (@Sendable () -> Void)?
        /// The policy that verdicts claim; nil for the policy in force.
        var claimedPolicy: SCSensitivityAnalysisPolicy?
    }

    init(policy: SCSensitivityAnalysisPolicy = .simpleInterventions) {
        state = Mutex(State(policy: policy))
    }

    var analysis: AttachmentAnalyzer {
        AttachmentAnalyzer(
            policy: { self.state.withLock(\.policy) },
            changes: {
                let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
                self.state.withLock { state in
                    continuation.yield()
                    state.listeners.append(continuation)
                }
                return stream
            },
            conditions: { self.state.withLock(\.conditions) }, settle: {},
            judge: { file, kind, report in
                // The analyzer gets paths of open descriptors, and tests need the names of the files.
                let name = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)
                let file = name.map { URL(fileURLWithPath: $0) } ?? file
                self.state.withLock { state in
                    state.judged.append(file)
                    state.kinds.append(kind)
                    state.running += 1
                    state.mostRunning = max(state.mostRunning, state.running)
                }
                defer { self.state.withLock { $0.running -= 1 } }
                report(0.5)
                return try await self.judge(file, kind)
            },
            samples: { file, cover in
                let action = self.state.withLock { state in
                    state.covers.append(cover)
                    defer { state.duringCover = nil }
                    return state.duringCover
                }
                action?()
                guard FileManager.default.fileExists(atPath: file.path) else { throw CocoaError(.fileNoSuchFile) }
                return try CoverSamples(
                    of: CGImage(width: 1, height: 1, pixelFormat: .rgb24, pixels: Data(count: 3)), cover: cover)
            },
            image: { file, size in
                let (verdict, policy, action) = self.state.withLock { state in
                    defer { state.duringDecoding = nil }
                    return (state.pixelVerdict, state.policy, state.duringDecoding)
                }
                action?()
                let edge = size ?? 8
                let image = try CGImage(
                    width: edge, height: edge, pixelFormat: .rgb24, pixels: Data(count: 3 * edge * edge))
                let ofFile = try await self.judge(file, .image)
                return (verdict.map { MediaJudgement(verdict: $0, policy: policy) } ?? ofFile, image)
            },
            imageWithCoveredRegions: { _, size in
                let action = self.state.withLock { state in
                    defer { state.duringDecoding = nil }
                    return state.duringDecoding
                }
                action?()
                let edge = size ?? 8
                return try CGImage(
                    width: edge, height: edge, pixelFormat: .rgb24, pixels: Data(count: 3 * edge * edge))
            })
    }

    func set(pixels verdict: MediaVerdict?) { state.withLock { $0.pixelVerdict = verdict } }

    func duringDecoding(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.duringDecoding = action } }

    var judged: [URL] { state.withLock(\.judged) }
    var kinds: [MediaKind] { state.withLock(\.kinds) }
    var mostRunning: Int { state.withLock(\.mostRunning) }
    var cancelled: Int { state.withLock(\.cancelled) }

    func set(_ policy: SCSensitivityAnalysisPolicy) {
        state.withLock { state in
            state.policy = policy
            for listener in state.listeners { listener.yield() }
        }
    }

    var covers: [InterventionPresentation.Cover] { state.withLock(\.covers) }

    func duringCover(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.duringCover = action } }

    func set(conditions: [String]) {
        state.withLock { state in
            state.conditions = conditions
            for listener in state.listeners { listener.yield() }
        }
    }

    func refuse() { state.withLock { $0.isRefused = true } }

    /// Waits until a number of checks have begun.
    func untilJudged(_ count: Int) async throws {
        while judged.count < count { try await Task.sleep(for: .milliseconds(5)) }
    }

    func claim(_ policy: SCSensitivityAnalysisPolicy) { state.withLock { $0.claimedPolicy = policy } }

    func beforeReading(_ action: @escaping @Sendable (URL) throws -> Void) {
        state.withLock { $0.beforeReading = action }
    }

    func afterReading(_ action: @escaping @Sendable (URL) throws -> Void) {
        state.withLock { $0.afterReading = action }
    }

    func hold(_ kinds: Set<MediaKind> = [.image, .video]) { state.withLock { $0.heldKinds = kinds } }

    func letGo() {
        let held = state.withLock { state in
            state.heldKinds = []
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    private func judge(_ file: URL, _ kind: MediaKind) async throws -> MediaJudgement {
        let policy = state.withLock { $0.claimedPolicy ?? $0.policy }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.heldKinds.contains(kind), !Task.isCancelled else { return false }
                    state.held.append(continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.cancelled += 1 }
            letGo()
        }
        try Task.checkCancellation()
        guard policy != .disabled, !state.withLock(\.isRefused) else {
            throw SensitivityAnalysisError(.analysisDisabled, message: "Nobody wants it.")
        }
        let beforeReading = state.withLock { state in
            defer { state.beforeReading = nil }
            return state.beforeReading
        }
        try beforeReading?(file)
        let words = try String(contentsOf: file, encoding: .utf8)
        let afterReading = state.withLock { state in
            defer { state.afterReading = nil }
            return state.afterReading
        }
        try afterReading?(file)
        if kind == .image, words.hasPrefix("video") {
            throw SensitivityAnalysisError(.unsupportedMedia, message: "This is a video.")
        }
        switch words.split(separator: " ").first(where: { $0 != "video" }) {
        case "nudity": return MediaJudgement(verdict: .sensitive([.sexuallyExplicit]), policy: policy)
        case "gore": return MediaJudgement(verdict: .sensitive([.goreOrViolence]), policy: policy)
        case "borderline" where policy == .descriptiveInterventions:
            return MediaJudgement(verdict: .sensitive([.sexuallyExplicit]), policy: policy)
        case "harmless", "borderline": return MediaJudgement(verdict: .notSensitive, policy: policy)
        default: throw SensitivityAnalysisError(.malformedMedia, message: "The file is broken.")
        }
    }
}
