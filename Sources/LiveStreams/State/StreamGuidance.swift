// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The measures that suit a finding in a live stream.
package struct StreamGuidance: Sendable, Hashable {
    /// Whether to tell the person that the stream may be sensitive.
    package var indicatesSensitivity = false
    /// Whether to stop showing the video.
    package var interruptsVideo = false
    /// Whether to silence the sound.
    package var mutesAudio = false

    /// Creates no measures, for media that is no live stream.
    package init() {}

    /// Determines the measures; docs/streams.md has them as a table.
    ///
    /// - Parameter isIncoming: whether the stream is of another person, and not of the person's own camera or screen.
    package init(_ types: Set<ContentType>, policy: AnalysisPolicy, isIncoming: Bool) {
        for type in types {
            let measures = Self(type, policy, isIncoming)
            indicatesSensitivity = indicatesSensitivity || measures.indicatesSensitivity
            interruptsVideo = interruptsVideo || measures.interruptsVideo
            mutesAudio = mutesAudio || measures.mutesAudio
        }
    }

    private init(_ type: ContentType, _ policy: AnalysisPolicy, _ isIncoming: Bool) {
        guard policy != .disabled else { return }
        indicatesSensitivity = true
        interruptsVideo = true
        // The sound of violence upsets as well; a person's own sound goes on, because the person hears it anyway.
        mutesAudio = policy == .descriptive || type == .goreOrViolence && isIncoming
    }
}
