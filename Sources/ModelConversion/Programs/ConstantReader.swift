// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import ModelFormats

/// Reads the constants of an ML program from its text or from its file of weights.
struct ConstantReader {
    private let weights: WeightFile
    /// The sum of the counts of all constants.
    private var numberCount = 0

    init(_ weights: WeightFile) {
        self.weights = weights
    }

    /// - Parameter name: the name of the value, for messages.
    mutating func constant(_ value: MILValue, _ name: String) throws(ConversionFailure) -> ProgramConstant {
        if case .listType(let list)? = value.type.type { return try texts(value, list, name) }
        guard case .tensorType(let type)? = value.type.type else { throw Self.failure(name, "no tensor") }
        let shape = try Self.shape(type, name)
        numberCount += shape.count
        guard numberCount <= Self.mostNumbers else {
            throw ConversionFailure("The model has more than 400 million weights", .useSmaller)
        }
        let elements: ProgramConstant.Elements
        switch value.value {
        case .immediateValue(let immediate)?:
            guard case .tensor(let tensor)? = immediate.value else { throw Self.failure(name, "no tensor") }
            elements = try Self.elements(tensor, type.dataType, count: shape.count, name)
        case .blobFileValue(let blob)?:
            guard blob.fileName == Self.fileName else {
                throw Self.failure(name, "in another file than weights/weight.bin")
            }
            guard let bitCount = Self.bitCounts[type.dataType] else { throw Self.failure(name, "of an unknown type") }
            let bytes = try weights.constant(at: blob.offset, type.dataType, bitCount: bitCount * shape.count)
            elements = try Self.elements(bytes, type.dataType, count: shape.count, name)
        case nil: throw Self.failure(name, "without a value")
        }
        if case .numbers(let numbers) = elements, !numbers.allSatisfy({ !$0.isNaN }) {
            throw Self.failure(name, "that is not a number")
        }
        return ProgramConstant(elements: elements, shape: shape)
    }

    /// Returns the shape that a program states.
    static func shape(_ type: MILTensorType, _ name: String) throws(ConversionFailure) -> TensorShape {
        guard type.rank == type.dimensions.count else { throw failure(name, "of an impossible shape") }
        var lengths: [Int] = []
        for dimension in type.dimensions {
            guard case .constant(let constant)? = dimension.dimension else {
                throw ConversionFailure(
                    "The value \(ConversionFailure.quoted(name)) has no fixed size", .exportWithFixedSizes)
            }
            guard let length = Int(exactly: constant.size) else { throw failure(name, "of an impossible shape") }
            lengths.append(length)
        }
        return try TensorShape(lengths)
    }

    private static func elements(
        _ tensor: MILTensorValue, _ type: MILDataType, count: Int, _ name: String
    ) throws(ConversionFailure) -> ProgramConstant.Elements {
        let elements: ProgramConstant.Elements
        let found: Int
        switch (type, tensor.value) {
        case (.float32, .floats(let list)?): (elements, found) = (.numbers(list.values), list.values.count)
        case (.int32, .ints(let list)?): (elements, found) = (.integers(list.values.map(Int.init)), list.values.count)
        case (.int64, .longInts(let list)?):
            (elements, found) = (.integers(list.values.map { Int($0) }), list.values.count)
        case (.bool, .bools(let list)?): (elements, found) = (.flags(list.values), list.values.count)
        case (.string, .strings(let list)?): (elements, found) = (.texts(list.values), list.values.count)
        case (_, .bytes(let bytes)?):
            guard let bitCount = bitCounts[type], bytes.values.count == (bitCount * count + 7) / 8 else {
                throw failure(name, "of another length than its type")
            }
            return try self.elements([UInt8](bytes.values)[...], type, count: count, name)
        default: throw failure(name, "of another type than it says")
        }
        guard found == count else { throw failure(name, "of another length than its type") }
        return elements
    }

    private static func elements(
        _ bytes: ArraySlice<UInt8>, _ type: MILDataType, count: Int, _ name: String
    ) throws(ConversionFailure) -> ProgramConstant.Elements {
        func number(_ place: Int, _ size: Int) -> UInt32 {
            (0..<size).reversed().reduce(0) { $0 << 8 | UInt32(bytes[bytes.startIndex + place * size + $1]) }
        }
        func integers(_ size: Int, _ value: (UInt32) -> Int) -> ProgramConstant.Elements {
            .integers((0..<count).map { value(number($0, size)) })
        }
        switch type {
        case .float16:
            return .numbers((0..<count).map { Float(Float16(bitPattern: UInt16(number($0, 2)))) })
        case .float32: return .numbers((0..<count).map { Float(bitPattern: number($0, 4)) })
        case .uint8: return integers(1) { Int($0) }
        case .int8: return integers(1) { Int(Int8(truncatingIfNeeded: $0)) }
        case .uint16: return integers(2) { Int($0) }
        case .int16: return integers(2) { Int(Int16(truncatingIfNeeded: $0)) }
        case .uint32: return integers(4) { Int($0) }
        case .int32: return integers(4) { Int(Int32(truncatingIfNeeded: $0)) }
        case .uint1, .uint2, .uint3, .uint4, .uint6, .int4:
            let bitCount = bitCounts[type] ?? 8
            let packed = PackedIntegers(bytes, bitCount: bitCount)
            return .integers((0..<count).map { packed.value($0, isSigned: type == .int4) })
        default: throw failure(name, "of an unknown type")
        }
    }

    private mutating func texts(
        _ value: MILValue, _ list: MILListType, _ name: String
    ) throws(ConversionFailure) -> ProgramConstant {
        guard case .tensorType(let type)? = list.type.type, type.rank == 0,
            case .list(let values)? = value.immediateValue.value, (1...Self.mostTexts).contains(values.values.count)
        else { throw Self.failure(name, "no list of labels") }
        var (texts, integers): ([String], [Int]) = ([], [])
        for value in values.values {
            switch try constant(value, name).elements {
            case .texts(let found): texts += found
            case .integers(let found): integers += found
            default: throw Self.failure(name, "no list of labels")
            }
        }
        let count = values.values.count
        guard texts.isEmpty || integers.isEmpty, texts.count + integers.count == count else {
            throw Self.failure(name, "no list of labels")
        }
        return ProgramConstant(
            elements: texts.isEmpty ? .integers(integers) : .texts(texts), shape: try TensorShape([count]))
    }

    private static func failure(_ name: String, _ words: String) -> ConversionFailure {
        ConversionFailure("The program has the constant \(ConversionFailure.quoted(name)) \(words)", .exportAgain)
    }

    /// The name of the file in a program; the folder is that of the program itself.
    private static let fileName = "@model_path/weights/weight.bin"
    private static let mostNumbers = 400_000_000
    private static let mostTexts = 100_000

    private static let bitCounts: [MILDataType: Int] = [
        .float16: 16, .float32: 32, .uint8: 8, .int8: 8, .uint16: 16, .int16: 16, .uint32: 32, .int32: 32, .int4: 4,
        .uint1: 1, .uint2: 2, .uint3: 3, .uint4: 4, .uint6: 6,
    ]
}
