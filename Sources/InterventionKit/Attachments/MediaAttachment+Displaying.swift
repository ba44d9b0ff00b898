// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation
public import SensitiveContentAnalysis
internal import Synchronization

extension MediaAttachment {
    /// The content that an app draws in the place of media.
    public enum Displayed<Content: Sendable>: Sendable {
        /// Judged pixels, which may be shown now.
        case content(Content)
        /// A cover of these samples; a plain one without them.
        case cover(CoverSamples?)
        /// The file, for the app's own decoder: no policy asks for analysis, so nothing was judged.
        case file(FileHandle)
    }

    /// Returns the judged image if it may be shown now, or a cover.
    ///
    /// ```swift
    /// for await _ in attachment.flows {
    ///     do {
    ///         switch try await attachment.displayedImage(maximumPixelSize: 1024) {
    ///         case .content(let image): view.show(image)
    ///         case .cover: view.cover("This may be sensitive.")
    ///         case .file(let file): view.show(file)
    ///         }
    ///     } catch {
    ///         view.cover(error.localizedDescription)
    ///     }
    /// }
    /// ```
    ///
    /// The image is decoded in the sandbox, and exactly its pixels are judged. Nothing of the file comes along that another
    /// program could show. If the pixels are sensitive and the person has not chosen to see them, the flow covers the media
    /// with this new finding.
    ///
    /// - Parameter maximumPixelSize: the longest edge in pixels; nil for the full size.
    /// - Throws: an error of the download; `SensitivityAnalysisError` if the image cannot be judged, for which an app shows
    ///   a cover; or `CancellationError`.
    public func displayedImage(maximumPixelSize: Int? = nil) async throws -> Displayed<CGImage> {
        try await displayed { [checker] in try await checker.image(of: $0, maximumPixelSize) }
    }

    /// Returns the judged frames of an animation or a short video if they may be shown now, or a cover.
    ///
    /// ```swift
    /// do {
    ///     let sticker = try await attachment.displayedFrames(maximumPixelSize: 256)
    ///     if case .content(let frames) = sticker {
    ///         for try await frame in frames { view.show(frame.image) }
    ///     }
    /// } catch {
    ///     view.cover(error.localizedDescription)
    /// }
    /// ```
    ///
    /// - Parameter maximumPixelSize: the longest edge in pixels; nil for the full size.
    /// - Throws: as ``displayedImage(maximumPixelSize:)`` does; the code is `limitExceeded` for a video over a minute.
    public func displayedFrames(
        maximumPixelSize: Int? = nil
    ) async throws -> Displayed<SCSensitivityAnalyzer.JudgedFrames> {
        try await displayed { [checker] in try await checker.frames(of: $0, maximumPixelSize) }
    }

    private func displayed<Content: Sendable>(
        _ decode: (URL) async throws -> (MediaJudgement, Content)
    ) async throws -> Displayed<Content> {
        while true {
            try Task.checkCancellation()
            let flow = self.flow
            guard flow.presentation.isUncovered else {
                let samples = try? await coverSamples()
                // The media may be uncovered meanwhile.
                if !self.flow.presentation.isUncovered { return .cover(samples) }
                continue
            }
            let file = try await file()
            let (opened, version) = try Self.opened(file)
            let checked = state.withLock(\.checked)
            guard checked.map({ $0.version == version }) ?? (flow.verdict == nil) else { continue }
            if flow.policy == .disabled, checked == nil {
                guard let handle = opened.handle(), self.flow.isSame(as: flow) else { continue }
                return .file(handle)
            }
            let (judgement, content) = try await decode(opened.url)
            // Compared after the decoding, so a change meanwhile is noticed.
            guard self.flow.isSame(as: flow), state.withLock({ $0.checked == checked }) else { continue }
            guard judgement.holds(under: checker.policy) else { continue }
            if judgement.verdict == .notSensitive || flow.verdict != .notSensitive { return .content(content) }
            // These pixels are sensitive, and the person has chosen nothing yet.
            _ = update { state in
                guard state.flow.isSame(as: flow), state.checked == checked else { return nil }
                state.flow.mediaNumber += 1
                _ = state.flow.handle(.checkBegan)
                return state.flow.handle(.checkEnded(judgement.verdict, policy: judgement.policy))
            }
        }
    }
}
