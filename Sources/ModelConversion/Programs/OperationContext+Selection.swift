// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Comparisons, and operations that take numbers by their places.
extension OperationContext {
    mutating func comparison() throws(ConversionFailure) -> [ProgramValue] {
        let (x, y) = (try tensor("x"), try tensor("y"))
        guard let shape = try x.shape.broadcast(with: y.shape) else { throw failure("has inputs that do not fit") }
        var name = try graph.node("Equal", [x.name, y.name])
        if type == "not_equal" { name = try graph.node("Not", [name]) }
        return [.tensor(ProgramTensor(name: name, shape: shape, isOfFlags: true))]
    }

    mutating func selection() throws(ConversionFailure) -> [ProgramValue] {
        let (condition, one, other) = (try flagTensor("cond"), try tensor("a"), try tensor("b"))
        guard let values = try one.shape.broadcast(with: other.shape),
            let shape = try values.broadcast(with: condition.shape)
        else { throw failure("has inputs that do not fit") }
        return try result("Where", [condition.name, one.name, other.name], [:], shape)
    }

    /// Returns a list in which some numbers are replaced.
    mutating func scattering() throws(ConversionFailure) -> [ProgramValue] {
        let (data, updates) = (try tensor("data"), try tensor("updates"))
        _ = try flag("validate_indices", usual: false)
        guard let indices = try constant("indices"), case .integers(let places) = indices.elements,
            data.shape.rank == 1, try axis("axis", of: data.shape, usual: 0) == 0, updates.shape == indices.shape,
            indices.shape.rank == 1, try text("mode", usual: "add") == "update", Set(places).count == places.count,
            places.allSatisfy({ (0..<data.lengths[0]).contains($0) })
        else { throw failure("replaces other than different numbers of a list", .useONNX) }
        return try result(
            "ScatterElements", [data.name, graph.constant(integers: places), updates.name], ["axis": .integer(0)],
            data.shape)
    }

    mutating func gathering() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let axis = try axis("axis", of: x.shape, usual: 0)
        guard try integer("batch_dims", usual: 0) == 0 else { throw failure("gathers in batches", .useONNX) }
        _ = try flag("validate_indices", usual: false)
        guard let indices = try constant("indices"), case .integers(let integers) = indices.elements,
            integers.allSatisfy({ (-x.lengths[axis]..<x.lengths[axis]).contains($0) })
        else { throw failure("has impossible indices") }
        let lengths = x.lengths[..<axis] + indices.lengths + x.lengths[(axis + 1)...]
        return try result(
            "Gather", [x.name, graph.constant(integers: integers, indices.lengths)], ["axis": .integer(axis)],
            TensorShape(Array(lengths)))
    }
}
