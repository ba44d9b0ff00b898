// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Normalization by means and variances.
extension OperationContext {
    /// Returns (x − mean) ÷ √(variance + epsilon) × gamma + beta, of which all but x are constants of the channels.
    mutating func batchNormalization() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        guard x.shape.rank >= 3 else { throw failure("has no channels") }
        let channels = try TensorShape([x.lengths[1]])
        let (means, variances) = (try numbers("mean", channels), try numbers("variance", channels))
        let (gammas, betas) = (try numbers("gamma", channels, usual: 1), try numbers("beta", channels, usual: 0))
        let epsilon = try number("epsilon", usual: 1e-5)
        guard epsilon >= 0, variances.allSatisfy({ $0 + epsilon > 0 }) else { throw failure("has a variance below 0") }
        let factors = zip(gammas, variances).map { $0 / ($1 + epsilon).squareRoot() }
        let summands = zip(betas, zip(means, factors)).map { $0 - $1.0 * $1.1 }
        return [.tensor(try scaledChannels(x, factors, summands))]
    }

    /// Returns the channels, each normalized by its mean and variance in the picture.
    mutating func instanceNormalization() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        guard x.shape.rank >= 3 else { throw failure("has no channels") }
        let channels = try TensorShape([x.lengths[1]])
        let (gammas, betas) = (try numbers("gamma", channels, usual: 1), try numbers("beta", channels, usual: 0))
        let normalized = try normalized(x, over: Array(2..<x.shape.rank), try number("epsilon", usual: 1e-5))
        return [.tensor(try scaledChannels(normalized, gammas, betas))]
    }

    mutating func layerNormalization() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let axes = try axes("axes", of: x.shape)
        guard !axes.isEmpty else { throw failure("has no dimensions") }
        let own = try TensorShape(axes.map { x.lengths[$0] })
        let (gammas, betas) = (try numbers("gamma", own, usual: 1), try numbers("beta", own, usual: 0))
        var name = try normalized(x, over: axes, try number("epsilon", usual: 1e-5)).name
        let lengths = (axes[0]..<x.shape.rank).map { axes.contains($0) ? x.lengths[$0] : 1 }
        if has("gamma") { name = try graph.node("Mul", [name, graph.constant(gammas, lengths)]) }
        if has("beta") { name = try graph.node("Add", [name, graph.constant(betas, lengths)]) }
        return [.tensor(ProgramTensor(name: name, shape: x.shape))]
    }

    /// Returns x ÷ √(the sum of the squares of the last three dimensions + epsilon).
    mutating func lengthNormalization() throws(ConversionFailure) -> [ProgramValue] {
        let (x, epsilon) = (try tensor("x"), try number("epsilon", usual: 1e-6))
        guard x.shape.rank >= 3 else { throw failure("has fewer than three dimensions") }
        let sum = try graph.sum(
            try graph.node("Mul", [x.name, x.name]), over: Array((x.shape.rank - 3)..<x.shape.rank))
        let length = try graph.node("Sqrt", [try graph.scaled(sum, by: 1, plus: epsilon)])
        return try result("Div", [x.name, length], [:], x.shape)
    }

    private mutating func normalized(
        _ x: ProgramTensor, over axes: [Int], _ epsilon: Float
    ) throws(ConversionFailure) -> ProgramTensor {
        guard epsilon >= 0 else { throw failure("has an impossible epsilon") }
        let difference = try graph.node("Sub", [x.name, try graph.mean(x.name, over: axes)])
        let variance = try graph.mean(try graph.node("Mul", [difference, difference]), over: axes)
        let deviation = try graph.node("Sqrt", [try graph.scaled(variance, by: 1, plus: epsilon)])
        return ProgramTensor(name: try graph.node("Div", [difference, deviation]), shape: x.shape)
    }

    private mutating func scaledChannels(
        _ x: ProgramTensor, _ factors: [Float], _ summands: [Float]
    ) throws(ConversionFailure) -> ProgramTensor {
        let shape = [x.lengths[1]] + Array(repeating: 1, count: x.shape.rank - 2)
        let product = try graph.node("Mul", [x.name, graph.constant(factors, shape)])
        return ProgramTensor(name: try graph.node("Add", [product, graph.constant(summands, shape)]), shape: x.shape)
    }
}
