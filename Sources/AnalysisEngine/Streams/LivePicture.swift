// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A frame of a live stream: what it looks like, and its pixels while they are needed.
package struct LivePicture: StreamPicture {
    package let signature: FrameSignature?
    /// The format, the visible part and the rotation; frames that differ in them are not compared.
    package let shape: Shape
    /// The pixels; nil for a frame that is kept for comparisons only.
    package let pixels: VideoPixels?
    /// The object of the app that holds the memory, which leaves the gate again.
    package let source: (any Sendable)?

    package struct Shape: Sendable, Hashable {
        let format: VideoPixelFormat
        let size: [Int]
        let crop: VideoPixels.Crop
        let quarterTurns: Int
        let matrix: VideoPixels.ColorMatrix
    }

    /// Creates the picture of a frame, and computes its signature: about 0.1 ms for 640 × 360 pixels.
    package init(_ pixels: VideoPixels, source: (any Sendable)? = nil) {
        signature = FrameSignature(pixels)
        shape = Shape(
            format: pixels.format, size: [pixels.width, pixels.height], crop: pixels.crop,
            quarterTurns: pixels.quarterTurns, matrix: pixels.matrix)
        self.pixels = pixels
        self.source = source
    }

    private init(_ signature: FrameSignature?, _ shape: Shape) {
        self.signature = signature
        self.shape = shape
        pixels = nil
        source = nil
    }

    package var withoutPixels: LivePicture { LivePicture(signature, shape) }

    package func change(from judged: LivePicture) -> PictureChange {
        guard shape == judged.shape, let signature, let other = judged.signature,
            let difference = signature.difference(to: other)
        else { return .much }
        if difference.isNegligible { return .none }
        return difference.isAnotherScene || difference.isAnotherPart ? .much : .some
    }

    package func isLike(_ earlier: LivePicture, and later: LivePicture?) -> Bool {
        guard shape == earlier.shape, later.map({ $0.shape == shape }) ?? true, let signature,
            let first = earlier.signature
        else { return false }
        if later != nil, later?.signature == nil { return false }
        return signature.deviation(from: first, and: later?.signature)?.isHarmless ?? false
    }
}
