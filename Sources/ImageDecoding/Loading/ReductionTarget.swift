// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperService

/// How far a decoder may reduce a picture before the host makes the pixels that the model sees.
struct ReductionTarget {
    /// The size in pixels below which the stored picture, before it is turned upright, must not be reduced.
    let minimumWidth: Int
    let minimumHeight: Int
    /// Whether both sides are reduced by the same factor, so that codes stay square.
    var keepsProportions = false

    /// The same for a picture that will be turned by a quarter.
    func turned(forOrientation orientation: Int) -> ReductionTarget {
        guard orientation >= 5 else { return self }
        return ReductionTarget(
            minimumWidth: minimumHeight, minimumHeight: minimumWidth, keepsProportions: keepsProportions)
    }

    /// The whole factors by which pixels are averaged.
    ///
    /// - Parameter samplesPerSide: how many times as long as needed each side remains at least. With four, an average over
    ///   whole pixels followed by the model's resampler is as good as the resampler alone.
    func averagingFactors(
        width: Int, height: Int, samplesPerSide: Int = 4
    ) -> (horizontal: Int, vertical: Int) {
        guard !keepsProportions else {
            let factor = TestPatternScanner.reduction(
                width: width, height: height, shortestSide: 4 * min(minimumWidth, minimumHeight))
            return (factor, factor)
        }
        return (
            max(1, width / (samplesPerSide * minimumWidth)), max(1, height / (samplesPerSide * minimumHeight))
        )
    }
}
