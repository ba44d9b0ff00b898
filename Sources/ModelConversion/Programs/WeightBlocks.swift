// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The blocks of a tensor that have a number of their own.
struct WeightBlocks {
    /// For each dimension, its length, the length of a block, and the number of blocks.
    private let dimensions: [(length: Int, block: Int, count: Int)]

    /// - Parameter counts: the number of blocks in each dimension.
    init(of shape: TensorShape, _ counts: [Int], _ operation: OperationContext) throws(ConversionFailure) {
        guard counts.count == shape.rank, zip(shape.lengths, counts).allSatisfy({ $0.isMultiple(of: $1) }) else {
            throw operation.failure("has blocks that do not fit its weights")
        }
        dimensions = zip(shape.lengths, counts).map { ($0, $0 / $1, $1) }
    }

    /// Returns the number of the block in which a place of the tensor is.
    func block(of index: Int) -> Int {
        var (rest, block, stride) = (index, 0, 1)
        for (length, blockLength, count) in dimensions.reversed() {
            block += rest % length / blockLength * stride
            rest /= length
            stride *= count
        }
        return block
    }
}
