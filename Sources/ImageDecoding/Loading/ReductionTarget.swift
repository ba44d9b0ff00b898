// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import DecoderService

/// The size to which a decoder may reduce a picture before the host makes the model's input from it.
struct ReductionTarget {
    /// The smallest allowed size of the reduced picture in pixels: of the upright picture until `turned` is called.
    let minimumWidth: Int
    let minimumHeight: Int
    /// Whether width and height are reduced by the same factor, because codes in test patterns must stay square.
    var keepsProportions = false

    /// The target of pictures that are not reduced.
    static let whole = ReductionTarget(minimumWidth: Int(Int32.max), minimumHeight: Int(Int32.max))

    /// Returns the target for the picture as stored; width and height are swapped if its orientation is a quarter turn.
    func turned(forOrientation orientation: Int) -> ReductionTarget {
        guard orientation >= 5 else { return self }
        return ReductionTarget(
            minimumWidth: minimumHeight, minimumHeight: minimumWidth, keepsProportions: keepsProportions)
    }

    /// Returns the whole factors by which pixels are averaged.
    ///
    /// - Parameter samplesPerSide: the smallest ratio of the reduced width and height to those needed. With four, an
    ///   average over whole pixels followed by the model's resampler is as good as the resampler alone.
    func averagingFactors(
        width: Int, height: Int, samplesPerSide: Int = 4
    ) -> (horizontal: Int, vertical: Int) {
        guard !keepsProportions else {
            let factor = TestPatternScanner.reduction(width: width, height: height)
            return (factor, factor)
        }
        return (
            max(1, width / (samplesPerSide * minimumWidth)), max(1, height / (samplesPerSide * minimumHeight))
        )
    }
}
