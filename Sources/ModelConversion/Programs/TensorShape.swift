// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The lengths of a tensor of an ML program, in the order of its dimensions.
struct TensorShape: Equatable, Sendable {
    let lengths: [Int]

    /// - Throws: `ConversionFailure` if a length is below 1, or the tensor has more numbers than are allowed.
    init(_ lengths: [Int]) throws(ConversionFailure) {
        guard lengths.allSatisfy({ $0 >= 1 }), lengths.count <= Self.mostDimensions else {
            throw ConversionFailure("An operation of the model has an impossible result", .exportAgain)
        }
        guard lengths.reduce(1.0, { $0 * Double($1) }) <= Double(Self.largestCount) else {
            throw ConversionFailure(
                "An operation of the model has a result of more than 200 million numbers", .useSmaller)
        }
        self.lengths = lengths
    }

    var rank: Int { lengths.count }
    var count: Int { lengths.reduce(1, *) }

    /// Returns the shape of the result of an operation that repeats lengths of 1; nil if the shapes do not fit.
    func broadcast(with other: TensorShape) throws(ConversionFailure) -> TensorShape? {
        let rank = max(self.rank, other.rank)
        let (one, two) = (padded(to: rank), other.padded(to: rank))
        guard zip(one, two).allSatisfy({ $0 == $1 || $0 == 1 || $1 == 1 }) else { return nil }
        return try TensorShape(zip(one, two).map(max))
    }

    private func padded(to rank: Int) -> [Int] { Array(repeating: 1, count: rank - self.rank) + lengths }

    static let mostDimensions = 8
    private static let largestCount = 200_000_000
}
