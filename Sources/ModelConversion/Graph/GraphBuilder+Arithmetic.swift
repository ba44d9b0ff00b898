// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Arithmetic with numbers that are the same for all elements of a blob.
extension GraphBuilder {
    /// Returns the name of factor × value + summand, without nodes that would change nothing.
    mutating func scaled(
        _ value: String, by factor: Float, plus summand: Float = 0
    ) throws(ConversionFailure) -> String {
        var result = value
        if factor != 1 { result = try node("Mul", [result, constant([factor], [])]) }
        if summand != 0 { result = try node("Add", [result, constant([summand], [])]) }
        return result
    }

    /// Returns the name of the value in another shape, with its numbers in the same order.
    mutating func reshaped(_ value: String, to dimensions: [Int]) throws(ConversionFailure) -> String {
        try node("Reshape", [value, constant(integers: dimensions)])
    }

    mutating func transposed(_ value: String, _ order: [Int]) throws(ConversionFailure) -> String {
        try node("Transpose", [value], ["perm": .integers(order)])
    }

    /// Returns the name of the part of a value between two positions of one axis.
    mutating func sliced(
        _ value: String, axis: Int, from start: Int, to end: Int, step: Int = 1
    ) throws(ConversionFailure) -> String {
        try node(
            "Slice",
            [
                value, constant(integers: [start]), constant(integers: [end]), constant(integers: [axis]),
                constant(integers: [step]),
            ])
    }

    /// Returns the name of the mean of a value over the axes, whose lengths become 1.
    mutating func mean(_ value: String, over axes: [Int]) throws(ConversionFailure) -> String {
        try node("ReduceMean", [value], ["axes": .integers(axes), "keepdims": .integer(1)])
    }

    /// Returns the name of the sum of a value over the axes, whose lengths become 1.
    mutating func sum(_ value: String, over axes: [Int]) throws(ConversionFailure) -> String {
        try node("ReduceSum", [value, constant(integers: axes)], ["keepdims": .integer(1)])
    }
}
