// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import LiveStreams

extension SCSensitivityAnalysis {
    /// Whether to tell the person that the stream may be sensitive; false for media that is no live stream.
    public var shouldIndicateSensitivity: Bool { backing.guidance.indicatesSensitivity }

    /// Whether to stop showing the video of the stream; false for media that is no live stream.
    public var shouldInterruptVideo: Bool { backing.guidance.interruptsVideo }

    /// Whether to silence the sound of the stream; false for media that is no live stream.
    public var shouldMuteAudio: Bool { backing.guidance.mutesAudio }
}
