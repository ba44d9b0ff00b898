// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Operations that move numbers and do not change them, and reductions.
extension OperationContext {
    mutating func reduction(_ node: String) throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let axes = try axes("axes", of: x.shape)
        let keepsLengths = try flag("keep_dims", usual: false)
        let lengths = x.lengths.enumerated().compactMap { index, length in
            axes.contains(index) ? keepsLengths ? 1 : nil : length
        }
        let shape = try TensorShape(lengths)
        let keeps = GraphBuilder.Attribute.integer(keepsLengths ? 1 : 0)
        // In version 13 of the operator set, only sums have their dimensions as an input.
        guard node == "ReduceSum" else {
            return try result(node, [x.name], ["axes": .integers(axes), "keepdims": keeps], shape)
        }
        return try result(node, [x.name, graph.constant(integers: axes)], ["keepdims": keeps], shape)
    }

    mutating func transposition() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        var order: [Int] = []
        for axis in try integers("perm") { order.append(try position(of: axis, rank: x.shape.rank)) }
        guard order.sorted() == Array(0..<x.shape.rank) else { throw failure("has an impossible order") }
        return [.tensor(try transposed(x, order))]
    }

    mutating func reshaping() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        var lengths = try integers("shape")
        guard lengths.count <= TensorShape.mostDimensions else { throw failure("has an impossible shape") }
        for (index, length) in lengths.enumerated() where length == 0 {
            guard lengths.count == x.shape.rank else { throw failure("has an impossible shape") }
            lengths[index] = x.lengths[index]
        }
        let isOpen = lengths.map { $0 == -1 }
        if isOpen.contains(true) {
            let others = try TensorShape(lengths.filter { $0 != -1 })
            guard isOpen.count(where: { $0 }) == 1, x.shape.count.isMultiple(of: others.count) else {
                throw failure("has an impossible shape")
            }
            lengths = lengths.map { $0 == -1 ? x.shape.count / others.count : $0 }
        }
        return try reshaped(x, lengths)
    }

    private mutating func reshaped(_ x: ProgramTensor, _ lengths: [Int]) throws(ConversionFailure) -> [ProgramValue] {
        let shape = try TensorShape(lengths)
        guard shape.count == x.shape.count else { throw failure("has another number of results than of inputs") }
        return [.tensor(ProgramTensor(name: try graph.reshaped(x.name, to: lengths), shape: shape))]
    }

    mutating func squeezing() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let axes = has("axes") ? try axes("axes", of: x.shape) : x.lengths.indices.filter { x.lengths[$0] == 1 }
        guard axes.allSatisfy({ x.lengths[$0] == 1 }) else { throw failure("removes a dimension over 1") }
        return try reshaped(x, x.lengths.indices.filter { !axes.contains($0) }.map { x.lengths[$0] })
    }

    mutating func expansion() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let stated = try integers("axes")
        guard stated.count + x.shape.rank <= TensorShape.mostDimensions else {
            throw failure("has too many dimensions")
        }
        var axes: Set<Int> = []
        for axis in stated { axes.insert(try position(of: axis, rank: stated.count + x.shape.rank)) }
        guard axes.count == stated.count else { throw failure("has a dimension twice") }
        var rest = x.lengths[...]
        return try reshaped(
            x, (0..<stated.count + x.shape.rank).map { axes.contains($0) ? 1 : rest.popFirst() ?? 1 })
    }

    mutating func flattening() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let axis = try axis("axis", of: x.shape, usual: 1)
        return try reshaped(x, [x.lengths[..<axis].reduce(1, *), x.lengths[axis...].reduce(1, *)])
    }

    mutating func concatenation() throws(ConversionFailure) -> [ProgramValue] {
        let parts = try tensors("values")
        let axis = try axis("axis", of: parts[0].shape)
        guard try flag("interleave", usual: false) else { return try concatenated(parts, axis) }
        // Alternating places are those of a new dimension behind the axis.
        let stacked = try stacked(parts, axis + 1)
        var lengths = parts[0].lengths
        lengths[axis] *= parts.count
        return try reshaped(stacked, lengths)
    }

    private mutating func concatenated(_ parts: [ProgramTensor], _ axis: Int) throws(ConversionFailure)
        -> [ProgramValue]
    {
        var lengths = parts[0].lengths
        lengths[axis] = 0
        for part in parts {
            guard part.shape.rank == lengths.count,
                lengths.indices.allSatisfy({ $0 == axis || part.lengths[$0] == lengths[$0] })
            else { throw failure("has inputs that do not fit") }
            lengths[axis] += part.lengths[axis]
        }
        return try result("Concat", parts.map(\.name), ["axis": .integer(axis)], TensorShape(lengths))
    }

    mutating func stacking() throws(ConversionFailure) -> [ProgramValue] {
        let parts = try tensors("values")
        let axis = try position(of: try integer("axis"), rank: parts[0].shape.rank + 1)
        return [.tensor(try stacked(parts, axis))]
    }

    private mutating func stacked(_ parts: [ProgramTensor], _ axis: Int) throws(ConversionFailure) -> ProgramTensor {
        var lengths = parts[0].lengths
        lengths.insert(1, at: axis)
        var names: [String] = []
        for part in parts {
            guard part.shape == parts[0].shape else { throw failure("has inputs that do not fit") }
            names.append(try graph.reshaped(part.name, to: lengths))
        }
        lengths[axis] = parts.count
        return ProgramTensor(
            name: try graph.node("Concat", names, ["axis": .integer(axis)]), shape: try TensorShape(lengths))
    }

    mutating func tiling() throws(ConversionFailure) -> [ProgramValue] {
        let (x, counts) = (try tensor("x"), try integers("reps"))
        // A list of one number repeats the last dimension; the published text asks for one number a dimension.
        guard counts.count == x.shape.rank, counts.allSatisfy({ (1...Self.largestLength).contains($0) }) else {
            throw failure("repeats other than all of its dimensions", .useONNX)
        }
        return try result(
            "Tile", [x.name, graph.constant(integers: counts)], [:], TensorShape(zip(x.lengths, counts).map { $0 * $1 })
        )
    }

    /// Returns a picture of another size, between whose pixels numbers are interpolated.
    mutating func upsampling(_ mode: String) throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        guard x.shape.rank == 4 else { throw failure("has other than four dimensions", .useONNX) }
        let factors = [try factor("scale_factor_height"), try factor("scale_factor_width")]
        var coordinates = "asymmetric"
        if mode == "linear" {
            let isAligned = try flag("align_corners", usual: true)
            let isCentred = try flag("half_pixel_centers", usual: !isAligned)
            guard !(isAligned && isCentred) else { throw failure("has two kinds of coordinates", .useONNX) }
            coordinates = isAligned ? "align_corners" : isCentred ? "half_pixel" : "asymmetric"
        }
        let sizes = zip(x.lengths[2...], factors).map { Float($0) * $1 }
        guard sizes.allSatisfy({ $0 >= 1 && $0 <= Float(Self.largestLength) }),
            // Otherwise it depends on the program that computes it which places are meant.
            coordinates == "align_corners" || sizes.allSatisfy({ abs($0 - $0.rounded()) < 1e-3 })
        else { throw failure("has a factor that is not supported", .useONNX) }
        let shape = try TensorShape(
            Array(x.lengths[..<2]) + sizes.map { Int(abs($0 - $0.rounded()) < 1e-3 ? $0.rounded() : $0) })
        return try result(
            "Resize", [x.name, "", "", graph.constant(integers: shape.lengths)],
            [
                "mode": .text(mode), "coordinate_transformation_mode": .text(coordinates),
                "nearest_mode": .text("floor"),
            ], shape)
    }

    /// Returns a factor, which is a number or an integer.
    private mutating func factor(_ name: String) throws(ConversionFailure) -> Float {
        switch try constant(name)?.elements {
        case nil: return 1
        case .numbers(let numbers)? where numbers.count == 1 && numbers[0].isFinite: return numbers[0]
        case .integers(let integers)? where integers.count == 1: return Float(integers[0])
        default: throw failure("has an impossible factor")
        }
    }

    mutating func splitting() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let axis = try axis("axis", of: x.shape)
        var sizes: [Int] = []
        if has("split_sizes") { sizes = try integers("split_sizes") }
        if has("num_splits") {
            let count = try integer("num_splits")
            guard (1...Self.largestLength).contains(count) else { throw failure("has an impossible number of parts") }
            if sizes.isEmpty { sizes = Array(repeating: x.lengths[axis] / count, count: count) }
            guard sizes.count == count else { throw failure("has another number of parts than of sizes") }
        }
        guard sizes.count == outputCount, sizes.allSatisfy({ (1...x.lengths[axis]).contains($0) }),
            sizes.reduce(0, +) == x.lengths[axis]
        else { throw failure("has sizes that do not fit") }
        let names = try graph.nodes(
            "Split", [x.name, graph.constant(integers: sizes)], ["axis": .integer(axis)], resultCount: sizes.count)
        var values: [ProgramValue] = []
        for (name, size) in zip(names, sizes) {
            var lengths = x.lengths
            lengths[axis] = size
            values.append(.tensor(ProgramTensor(name: name, shape: try TensorShape(lengths))))
        }
        return values
    }

    mutating func slicingByIndex() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let rank = x.shape.rank
        let (begins, ends) = (try integers("begin"), try integers("end"))
        let strides = try integers("stride", usual: Array(repeating: 1, count: rank))
        let (isFromFirst, isToLast) = (try flags("begin_mask", count: rank), try flags("end_mask", count: rank))
        let isSqueezed = try flags("squeeze_mask", count: rank)
        guard begins.count == rank, ends.count == rank, strides.count == rank,
            strides.allSatisfy({ (1...1 << 24).contains($0) })
        else {
            throw failure("has a slice that is not supported", .useONNX)
        }
        var (starts, stops, lengths) = ([Int](), [Int](), [Int]())
        for (index, length) in x.lengths.enumerated() {
            func place(_ value: Int) -> Int { min(max(0, value < 0 ? value + length : value), length) }
            guard !isSqueezed[index] || (-length..<length).contains(begins[index]) else {
                throw failure("takes a place that its input has not")
            }
            let start = isFromFirst[index] ? 0 : place(begins[index])
            let stop = isSqueezed[index] ? start + 1 : isToLast[index] ? length : place(ends[index])
            guard start < stop, stop <= length else { throw failure("has an empty slice") }
            starts.append(start)
            stops.append(stop)
            lengths.append((stop - start + strides[index] - 1) / strides[index])
        }
        let name = try sliced(x, from: starts, to: stops, by: strides)
        let shape = try TensorShape(lengths)
        guard isSqueezed.contains(true) else { return [.tensor(ProgramTensor(name: name, shape: shape))] }
        return try reshaped(
            ProgramTensor(name: name, shape: shape), lengths.indices.filter { !isSqueezed[$0] }.map { lengths[$0] })
    }

    mutating func slicingBySize() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let (begins, sizes) = (try integers("begin"), try integers("size"))
        guard begins.count == x.shape.rank, sizes.count == x.shape.rank else {
            throw failure("has an impossible slice")
        }
        var (stops, lengths) = ([Int](), [Int]())
        for (index, length) in x.lengths.enumerated() {
            guard (0..<length).contains(begins[index]), sizes[index] == -1 || (1...length).contains(sizes[index]) else {
                throw failure("has an impossible slice")
            }
            let stop = sizes[index] == -1 ? length : begins[index] + sizes[index]
            guard stop <= length else { throw failure("has an impossible slice") }
            stops.append(stop)
            lengths.append(stop - begins[index])
        }
        let name = try sliced(x, from: begins, to: stops, by: Array(repeating: 1, count: lengths.count))
        return [.tensor(ProgramTensor(name: name, shape: try TensorShape(lengths)))]
    }

    private mutating func sliced(
        _ x: ProgramTensor, from starts: [Int], to stops: [Int], by strides: [Int]
    ) throws(ConversionFailure) -> String {
        try graph.node(
            "Slice",
            [
                x.name, graph.constant(integers: starts), graph.constant(integers: stops),
                graph.constant(integers: Array(0..<x.shape.rank)), graph.constant(integers: strides),
            ])
    }

    mutating func padding() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let amounts = try integers("pad")
        guard amounts.count.isMultiple(of: 2), amounts.count <= 2 * x.shape.rank,
            amounts.allSatisfy({ (0...Self.largestLength).contains($0) })
        else { throw failure("has an impossible padding") }
        // The amounts are those of the last dimensions.
        let missing = Array(repeating: 0, count: x.shape.rank - amounts.count / 2)
        let starts = missing + stride(from: 0, to: amounts.count, by: 2).map { amounts[$0] }
        let ends = missing + stride(from: 1, to: amounts.count, by: 2).map { amounts[$0] }
        let value = try number("constant_val", usual: 0)
        let mode: String
        switch try text("mode", usual: "constant") {
        case "constant": mode = "constant"
        case "reflect":
            mode = "reflect"
            guard x.lengths.indices.allSatisfy({ max(starts[$0], ends[$0]) < x.lengths[$0] }) else {
                throw failure("has an impossible padding")
            }
        case "replicate": mode = "edge"
        default: throw failure("has an unknown mode")
        }
        let shape = try TensorShape(x.lengths.indices.map { x.lengths[$0] + starts[$0] + ends[$0] })
        return try result(
            "Pad", [x.name, graph.constant(integers: starts + ends), graph.constant([value], [])],
            ["mode": .text(mode)],
            shape)
    }

    mutating func pixelShuffling() throws(ConversionFailure) -> [ProgramValue] {
        let (x, factor) = (try tensor("x"), try integer("upscale_factor"))
        guard x.shape.rank == 4, (1...Self.largestLength).contains(factor), x.lengths[1].isMultiple(of: factor * factor)
        else { throw failure("has an impossible factor") }
        return try result(
            "DepthToSpace", [x.name], ["blocksize": .integer(factor), "mode": .text("CRD")],
            TensorShape([x.lengths[0], x.lengths[1] / (factor * factor), x.lengths[2] * factor, x.lengths[3] * factor]))
    }
}
