// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Limits the number of frames that are decoded because the size of a packet suggests another picture (evidence).
///
/// A look at evidence needs all frames from the key frame before it. Evidence that keeps showing another scene is worth
/// any effort. Wrong evidence, as under grain or with a shaking hand, would use up all decoding.
struct EvidenceBudget: Sendable {
    /// The number of frames that may be decoded now.
    private var credit: Double

    init() {
        credit = Self.most
    }

    /// Adds the credit of a segment by its length.
    ///
    /// - Parameter pixelCount: the pixels of one frame. Small frames cost little, so all their evidence is looked at.
    mutating func earn(frameCount: Int, seconds: Double, pixelCount: Int) {
        let share = Double(frameCount) * Self.share
        let cheap = seconds * Self.pixelsPerSecond / Double(max(pixelCount, 1))
        credit = min(Self.most, credit + max(share, min(cheap, Double(frameCount))))
    }

    /// Whether the credit suffices for a number of frames.
    func allows(_ frameCount: Int) -> Bool { Double(frameCount) <= credit }

    /// Subtracts decoded frames from the credit.
    ///
    /// - Parameter hasShownAnotherScene: whether the evidence was right. If so, nothing is subtracted.
    mutating func spend(_ frameCount: Int, hasShownAnotherScene: Bool) {
        if !hasShownAnotherScene { credit -= Double(frameCount) }
    }

    /// The share of all frames that may be decoded for wrong evidence.
    private static let share = 0.12
    /// The highest credit, which is about twenty seconds of a film.
    private static let most = 600.0
    /// The pixels that are cheap to decode for each second of video: a quarter of the speed of a small core.
    private static let pixelsPerSecond = 3_000_000.0
}
