// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CPixelLoops

/// The weights for resizing the width or the height of a picture by convolution with a filter.
///
/// The filter is widened when the picture shrinks, so that every pixel counts.
/// Source: the method of Pillow's `Image.resize`, which the model's original pipeline and the field's references use.
/// The cubic filter has a = -0.5 (Keys, "Cubic Convolution Interpolation", 1981).
struct ResamplingWeights {
    /// The range of input pixels that an output pixel is computed from, and the index of their first weight.
    typealias Window = CPixelLoops_Window

    /// For each output pixel along the axis, the range of the input pixels that it is computed from.
    private(set) var windows: [Window] = []
    /// The weights of the input pixels of all windows, one window after the other; each window's weights sum to 1.
    private(set) var weights: [Float] = []

    /// - Parameters:
    ///   - inputLength: the width or the height of the picture, in pixels.
    ///   - outputLength: the width or the height of the whole resized picture, in pixels.
    ///   - range: the columns or rows of the resized picture that are needed.
    init(inputLength: Int, outputLength: Int, range: Range<Int>, filter: ModelInput.Resize.Filter) {
        let scale = Double(inputLength) / Double(outputLength)
        let widening = max(1, scale)
        let support = filter.support * widening
        for output in range {
            let center = (Double(output) + 0.5) * scale
            let start = max(0, Int(center - support + 0.5))
            let end = min(inputLength, max(start + 1, Int(center + support + 0.5)))
            let raw = (start..<end).map { filter.value(at: (Double($0) - center + 0.5) / widening) }
            let sum = raw.reduce(0, +)
            windows.append(
                Window(start: min(start, inputLength - 1), firstWeight: weights.count, count: raw.count))
            weights += raw.map { Float($0 / sum) }
        }
    }
}

extension ResamplingWeights {
    /// Whether all windows lie within a picture of this width or height, and have all of their weights.
    func fits(_ length: Int) -> Bool {
        windows.allSatisfy { window in
            window.start >= 0 && window.count > 0 && window.start + window.count <= length
                && window.firstWeight >= 0 && window.firstWeight + window.count <= weights.count
        }
    }
}

extension ModelInput.Resize.Filter {
    /// Half the width of the filter, in input pixels before widening.
    fileprivate var support: Double {
        switch self {
        case .bilinear: 1
        case .bicubic: 2
        }
    }

    fileprivate func value(at position: Double) -> Double {
        let x = abs(position)
        switch self {
        case .bilinear: return max(0, 1 - x)
        case .bicubic:
            let a = -0.5
            if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
            if x < 2 { return (((x - 5) * x + 8) * x - 4) * a }
            return 0
        }
    }
}
