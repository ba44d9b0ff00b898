// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Products of matrices.
extension OperationContext {
    /// Returns x × the transposed weights + bias.
    mutating func linear() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        guard let inputCount = x.lengths.last, let weights = try constant("weight"), weights.shape.rank == 2,
            weights.lengths[1] == inputCount
        else { throw failure("has weights that do not fit") }
        let outputCount = weights.lengths[0]
        let numbers = try self.numbers("weight", weights.shape)
        let transposed = (0..<inputCount * outputCount).map { index in
            numbers[index % outputCount * inputCount + index / outputCount]
        }
        var name = try graph.node("MatMul", [x.name, graph.constant(transposed, [inputCount, outputCount])])
        if has("bias") {
            let bias = try self.numbers("bias", TensorShape([outputCount]))
            name = try graph.node("Add", [name, graph.constant(bias, [outputCount])])
        }
        return [.tensor(ProgramTensor(name: name, shape: try TensorShape(x.lengths.dropLast() + [outputCount])))]
    }

    mutating func product() throws(ConversionFailure) -> [ProgramValue] {
        let x = try lastTwoTransposed(try tensor("x"), if: try flag("transpose_x", usual: false))
        let y = try lastTwoTransposed(try tensor("y"), if: try flag("transpose_y", usual: false))
        return [.tensor(try product(x, y))]
    }

    private mutating func product(_ x: ProgramTensor, _ y: ProgramTensor) throws(ConversionFailure) -> ProgramTensor {
        guard x.shape.rank >= 2, y.shape.rank >= 2, let inner = x.lengths.last, y.lengths[y.shape.rank - 2] == inner,
            let columns = y.lengths.last,
            let outer = try TensorShape(Array(x.lengths.dropLast(2))).broadcast(
                with: TensorShape(Array(y.lengths.dropLast(2))))
        else { throw failure("has matrices that do not fit") }
        let shape = try TensorShape(outer.lengths + [x.lengths[x.shape.rank - 2], columns])
        return ProgramTensor(name: try graph.node("MatMul", [x.name, y.name]), shape: shape)
    }

    /// Returns softmax(query × keyᵀ ÷ √length + mask) × value.
    mutating func attention() throws(ConversionFailure) -> [ProgramValue] {
        let query = try tensor("query")
        guard query.shape.rank >= 3, let length = query.lengths.last else { throw failure("has an impossible query") }
        let key = try lastTwoTransposed(try tensor("key"), if: true)
        var scores = try product(query, key)
        scores = ProgramTensor(
            name: try graph.scaled(scores.name, by: 1 / Float(length).squareRoot()), shape: scores.shape)
        if has("attn_mask") {
            let mask = try tensor("attn_mask")
            guard try scores.shape.broadcast(with: mask.shape) == scores.shape else {
                throw failure("has a mask that does not fit")
            }
            scores = ProgramTensor(name: try graph.node("Add", [scores.name, mask.name]), shape: scores.shape)
        }
        let weights = try graph.node("Softmax", [scores.name], ["axis": .integer(scores.shape.rank - 1)])
        return [.tensor(try product(ProgramTensor(name: weights, shape: scores.shape), try tensor("value")))]
    }

    private mutating func lastTwoTransposed(
        _ tensor: ProgramTensor, if isWanted: Bool
    ) throws(ConversionFailure) -> ProgramTensor {
        let rank = tensor.shape.rank
        guard isWanted else { return tensor }
        guard rank >= 2 else { throw failure("has a matrix of one dimension") }
        var order = Array(0..<rank)
        order.swapAt(rank - 1, rank - 2)
        return try transposed(tensor, order)
    }

    mutating func transposed(_ tensor: ProgramTensor, _ order: [Int]) throws(ConversionFailure) -> ProgramTensor {
        ProgramTensor(
            name: try graph.transposed(tensor.name, order), shape: try TensorShape(order.map { tensor.lengths[$0] }))
    }
}
