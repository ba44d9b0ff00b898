// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Constants, and weights that are stored in fewer bits.
extension OperationContext {
    /// Returns the result of an operation that is the same for all pictures; nil for an operation of another kind.
    mutating func convertConstant() throws(ConversionFailure) -> [ProgramValue]? {
        switch type {
        case "const":
            guard let value = try constant("val") else { throw failure("has no value") }
            return [.constant(value)]
        case "constexpr_affine_dequantize": return [.constant(try affineWeights())]
        case "constexpr_lut_to_dense": return [.constant(try has("shape") ? packedTableWeights() : tableWeights())]
        case "constexpr_sparse_to_dense": return [.constant(try has("shape") ? packedSparseWeights() : sparseWeights())]
        case "constexpr_blockwise_shift_scale": return [.constant(try blockWeights())]
        case "constexpr_cast":
            guard let value = try constant("source_val"), case .numbers = value.elements else {
                throw failure("has no numbers")
            }
            guard ["fp16", "fp32"].contains(try text("output_dtype")) else { throw failure("has no numbers") }
            return [.constant(value)]
        default: return nil
        }
    }

    /// Returns (data − zero point) × scale, where both have one number, or one for each place of an axis.
    private mutating func affineWeights() throws(ConversionFailure) -> ProgramConstant {
        let data = try constantIntegers("quantized_data")
        let axis = try axis("axis", of: data.shape)
        let (length, inner) = (data.shape.lengths[axis], data.shape.lengths[(axis + 1)...].reduce(1, *))
        let scales = try numbersOfAxis("scale", length)
        let points = try numbersOfAxis("zero_point", length)
        let values = data.integers.enumerated().map { index, value in
            let place = index / inner % length
            return (Float(value) - points[points.count == 1 ? 0 : place]) * scales[scales.count == 1 ? 0 : place]
        }
        return ProgramConstant(elements: .numbers(values), shape: data.shape)
    }

    /// Returns the numbers of an input that has one, or one for each place of an axis.
    private mutating func numbersOfAxis(_ name: String, _ length: Int) throws(ConversionFailure) -> [Float] {
        let constant = try constant(name)
        let numbers: [Float]
        switch constant?.elements {
        case .numbers(let found)?: numbers = found
        case .integers(let found)?: numbers = found.map(Float.init)
        default: throw failure("has no \(ConversionFailure.quoted(name))")
        }
        guard numbers.count == 1 || numbers.count == length, numbers.allSatisfy(\.isFinite) else {
            throw failure("has impossible numbers \(ConversionFailure.quoted(name))")
        }
        return numbers
    }

    /// Returns the numbers of a table at indices of the operations of iOS 16, which are packed into bytes.
    private mutating func packedTableWeights() throws(ConversionFailure) -> ProgramConstant {
        let shape = try statedShape()
        guard case .numbers(let table)? = try constant("lut")?.elements, let bitCount = Self.bitCount(of: table.count)
        else { throw failure("has no table of 2, 4, 16, 64 or 256 numbers") }
        let packed = try constantBytes("indices")
        guard packed.count == (shape.count * bitCount + 7) / 8 else { throw failure("has another number of indices") }
        let indices = PackedIntegers(packed[...], bitCount: bitCount)
        return ProgramConstant(elements: .numbers((0..<shape.count).map { table[indices.value($0)] }), shape: shape)
    }

    private static func bitCount(of tableLength: Int) -> Int? {
        [1, 2, 3, 4, 6, 8].first { 1 << $0 == tableLength }
    }

    /// Returns the numbers of tables at indices; each block of the weights can have a table of its own.
    private mutating func tableWeights() throws(ConversionFailure) -> ProgramConstant {
        let indices = try constantIntegers("indices")
        guard let table = try constant("lut"), case .numbers(let numbers) = table.elements,
            table.shape.rank == indices.shape.rank + 2, let length = table.lengths.dropLast().last,
            table.lengths.last == 1
        else { throw failure("has a table that is not supported", .useONNX) }
        let blocks = try WeightBlocks(of: indices.shape, Array(table.lengths.dropLast(2)), self)
        guard indices.integers.allSatisfy({ (0..<length).contains($0) }) else {
            throw failure("has an index beyond its table")
        }
        let values = indices.integers.enumerated().map { index, value in
            numbers[blocks.block(of: index) * length + value]
        }
        return ProgramConstant(elements: .numbers(values), shape: indices.shape)
    }

    /// Returns the weights of the operations of iOS 16 that are zero but for the places of a mask.
    private mutating func packedSparseWeights() throws(ConversionFailure) -> ProgramConstant {
        let shape = try statedShape()
        let mask = try constantBytes("mask")
        guard mask.count == (shape.count + 7) / 8 else { throw failure("has a mask of another length") }
        let flags = PackedIntegers(mask[...], bitCount: 1)
        return try sparse(shape) { flags.value($0) != 0 }
    }

    private mutating func sparseWeights() throws(ConversionFailure) -> ProgramConstant {
        let mask = try constantIntegers("mask")
        return try sparse(mask.shape) { mask.integers[$0] != 0 }
    }

    private mutating func sparse(
        _ shape: TensorShape, _ isSet: (Int) -> Bool
    ) throws(ConversionFailure) -> ProgramConstant {
        guard case .numbers(let numbers)? = try constant("nonzero_data")?.elements else {
            throw failure("has no numbers")
        }
        var rest = numbers[...]
        var values = [Float](repeating: 0, count: shape.count)
        for index in values.indices where isSet(index) {
            guard let number = rest.popFirst() else { throw failure("has fewer numbers than its mask") }
            values[index] = number
        }
        guard rest.isEmpty else { throw failure("has more numbers than its mask") }
        return ProgramConstant(elements: .numbers(values), shape: shape)
    }

    /// Returns (data − offset) × scale, where each block of the weights has numbers of its own.
    private mutating func blockWeights() throws(ConversionFailure) -> ProgramConstant {
        let data = try constantIntegers("data")
        guard let scale = try constant("scale"), case .numbers(let scales) = scale.elements,
            scales.allSatisfy(\.isFinite)
        else { throw failure("has no scale") }
        let blocks = try WeightBlocks(of: data.shape, scale.lengths, self)
        var offsets = [Float](repeating: 0, count: scales.count)
        if let offset = try constant("offset") {
            guard offset.shape == scale.shape else { throw failure("has another shape of offsets than of scales") }
            switch offset.elements {
            case .integers(let integers): offsets = integers.map(Float.init)
            case .numbers(let numbers): offsets = numbers
            default: throw failure("has no offset")
            }
        }
        let values = data.integers.enumerated().map { index, value in
            let block = blocks.block(of: index)
            return (Float(value) - offsets[block]) * scales[block]
        }
        return ProgramConstant(elements: .numbers(values), shape: data.shape)
    }

    private mutating func constantIntegers(
        _ name: String
    ) throws(ConversionFailure) -> (integers: [Int], shape: TensorShape) {
        guard let constant = try constant(name), case .integers(let integers) = constant.elements else {
            throw failure("has no integers \(ConversionFailure.quoted(name))")
        }
        return (integers, constant.shape)
    }

    private mutating func constantBytes(_ name: String) throws(ConversionFailure) -> [UInt8] {
        try constantIntegers(name).integers.map { UInt8(truncatingIfNeeded: $0) }
    }

    private mutating func statedShape() throws(ConversionFailure) -> TensorShape {
        try TensorShape(try integers("shape"))
    }
}
