// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The shape of a blob, which is the value of one picture between two layers: channels × height × width.
///
/// Core ML's sequence and batch dimensions are 1 throughout.
struct BlobShape: Equatable, Sendable {
    let channels, height, width: Int

    /// - Throws: `ConversionFailure` if a length is below 1, or the blob has more numbers than are allowed.
    init(_ channels: Int, _ height: Int, _ width: Int) throws(ConversionFailure) {
        let lengths = [channels, height, width]
        guard lengths.allSatisfy({ $0 >= 1 }) else {
            throw ConversionFailure("A layer of the model has an empty result", .exportAgain)
        }
        guard lengths.allSatisfy({ $0 <= Self.largestCount }), channels * height <= Self.largestCount,
            channels * height * width <= Self.largestCount
        else {
            throw ConversionFailure("A layer of the model has a result of more than 64 million numbers", .useSmaller)
        }
        (self.channels, self.height, self.width) = (channels, height, width)
    }

    var count: Int { channels * height * width }
    /// The dimensions in ONNX, with a batch of one picture.
    var dimensions: [Int] { [1, channels, height, width] }
    var lengths: [Int] { [channels, height, width] }

    private static let largestCount = 1 << 26
}

/// A value between layers: its name in the ONNX graph, and its shape.
struct Blob: Sendable {
    let name: String
    let shape: BlobShape
}
