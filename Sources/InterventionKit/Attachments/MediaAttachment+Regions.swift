// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import SensitiveContentAnalysis
internal import Synchronization

extension MediaAttachment {
    /// Returns the judged image with covers over the sensitive pictures inside it, if the rest of it is harmless.
    ///
    /// ```swift
    /// // A screenshot keeps its text, and the photograph in it is covered.
    /// if let image = try? await attachment.imageWithCoveredRegions(maximumPixelSize: 1024) {
    ///     view.show(image)
    /// } else {
    ///     view.cover("This may be sensitive.")
    /// }
    /// ```
    ///
    /// It may take the place of the full cover beside the pane for an adult. The image with its covers is judged once more,
    /// and given out only if nothing is sensitive any more. A child gets none: what stands around a picture tells enough
    /// of it.
    ///
    /// - Parameter maximumPixelSize: the longest edge in pixels; nil for the full size.
    /// - Returns: nil if the media is not covered or not known to be sensitive, if more than inner pictures is sensitive, or
    ///   under a policy for children. Show the cover then.
    /// - Throws: an error of the download; `SensitivityAnalysisError` if the image cannot be judged; or
    ///   `CancellationError`.
    public func imageWithCoveredRegions(maximumPixelSize: Int? = nil) async throws -> CGImage? {
        while true {
            try Task.checkCancellation()
            let flow = self.flow
            guard flow.policy == .simpleInterventions, flow.presentation.cover == .full,
                case .sensitive? = flow.verdict
            else { return nil }
            let file = try await file()
            let (opened, version) = try Self.opened(file)
            let checked = state.withLock(\.checked)
            guard checked?.version == version else {
                // The check of a replaced file begins with the next read of the flow.
                if state.withLock({ $0.checked == checked }) { return nil }
                continue
            }
            let image = try await checker.imageWithCoveredRegions(of: opened.url, maximumPixelSize)
            // Compared after the decoding, so a change meanwhile is noticed.
            guard self.flow.isSame(as: flow), state.withLock({ $0.checked == checked }), checker.policy == flow.policy
            else { continue }
            return image
        }
    }
}
