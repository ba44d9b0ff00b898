// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// How many frames may be decoded for the sake of evidence.
///
/// Looking at evidence means to decode all that lies between it and the key frame before. Where evidence keeps showing
/// another scene, it is worth any effort; under grain or a shaking hand it never does, and decoding would be all there is.
struct EvidenceBudget: Sendable {
    /// In frames that may be decoded.
    private var credit: Double

    init() {
        credit = Self.most
    }

    /// Adds what a segment earns by its length.
    ///
    /// - Parameter pixelCount: the pixels of one frame; small frames cost little, so all their evidence is looked at.
    mutating func earn(frameCount: Int, seconds: Double, pixelCount: Int) {
        let share = Double(frameCount) * Self.share
        let cheap = seconds * Self.pixelsPerSecond / Double(max(pixelCount, 1))
        credit = min(Self.most, credit + max(share, min(cheap, Double(frameCount))))
    }

    /// Whether so many frames may be decoded.
    func allows(_ frameCount: Int) -> Bool { Double(frameCount) <= credit }

    /// Takes off what was decoded.
    ///
    /// - Parameter hasShownAnotherScene: whether the evidence was right, in which case nothing is taken off.
    mutating func spend(_ frameCount: Int, hasShownAnotherScene: Bool) {
        if !hasShownAnotherScene { credit -= Double(frameCount) }
    }

    /// The share of all frames that may be decoded for evidence that leads nowhere.
    private static let share = 0.12
    /// About twenty seconds of a film.
    private static let most = 600.0
    /// A quarter of what a small core decodes.
    private static let pixelsPerSecond = 3_000_000.0
}
