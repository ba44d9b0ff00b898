// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import ModelFormats
internal import SwiftProtobuf

/// A graph of ONNX that grows by nodes and constants; its names are its own, so none comes from the file.
struct GraphBuilder {
    private(set) var graph = ONNXGraphProto()
    private var nameCount = 0
    private var weightCount = 0

    /// The values of an attribute of a node.
    enum Attribute {
        case integer(Int)
        case integers([Int])
        case float(Float)
        case text(String)
    }

    /// Adds a node with one result, and returns the name of the result.
    ///
    /// - Parameters:
    ///   - type: the operator in version 13 of ONNX's operator set.
    ///   - inputs: the names of the inputs; an empty name is an input that is left out.
    mutating func node(
        _ type: String, _ inputs: [String], _ attributes: KeyValuePairs<String, Attribute> = [:]
    ) throws(ConversionFailure) -> String {
        try nodes(type, inputs, attributes, resultCount: 1)[0]
    }

    /// Adds a node with several results, and returns their names.
    mutating func nodes(
        _ type: String, _ inputs: [String], _ attributes: KeyValuePairs<String, Attribute> = [:], resultCount: Int
    ) throws(ConversionFailure) -> [String] {
        let results = (0..<resultCount).map { _ in newName() }
        try append(type, inputs, attributes, results)
        return results
    }

    private mutating func append(
        _ type: String, _ inputs: [String], _ attributes: KeyValuePairs<String, Attribute>, _ results: [String]
    ) throws(ConversionFailure) {
        guard graph.node.count < Self.mostNodes else {
            throw ConversionFailure("The model has too many layers", .useSmaller)
        }
        // Integers are counted as well.
        guard weightCount <= Self.mostWeights else { throw Self.hasTooManyWeights }
        graph.node.append(
            ONNXNodeProto.with { node in
                node.opType = type
                node.input = inputs
                node.output = results
                node.attribute = attributes.map(Self.attribute)
            })
    }

    /// Adds a constant of 32-bit numbers, and returns its name.
    ///
    /// - Throws: `ConversionFailure` if the model has more weights than are allowed.
    mutating func constant(_ values: [Float], _ dimensions: [Int]) throws(ConversionFailure) -> String {
        weightCount += values.count
        guard weightCount <= Self.mostWeights else { throw Self.hasTooManyWeights }
        let data = unsafe values.withUnsafeBytes { unsafe Data($0) }
        return add(data, .float, dimensions)
    }

    /// Adds a constant of integers, and returns its name.
    ///
    /// - Parameter dimensions: the lengths of the constant; by default, a list.
    mutating func constant(integers values: [Int], _ dimensions: [Int]? = nil) -> String {
        weightCount += values.count
        let data = unsafe values.map(Int64.init).withUnsafeBytes { unsafe Data($0) }
        return add(data, .int64, dimensions ?? [values.count])
    }

    private mutating func add(_ data: Data, _ type: ONNXTensorProto.DataType, _ dimensions: [Int]) -> String {
        let name = newName()
        graph.initializer.append(
            ONNXTensorProto.with { tensor in
                tensor.dims = dimensions.map(Int64.init)
                tensor.dataType = Int32(type.rawValue)
                tensor.name = name
                tensor.rawData = data
            })
        return name
    }

    /// Declares the input of the graph.
    mutating func setInput(_ name: String, _ shape: BlobShape) {
        graph.input = [Self.value(name, shape.dimensions)]
    }

    /// Makes a blob an output of the graph, as a tensor of 1 × its count.
    mutating func addOutput(_ blob: Blob, named name: String) throws(ConversionFailure) {
        let shape = constant(integers: [1, blob.shape.count])
        try append("Reshape", [blob.name, shape], [:], [name])
        graph.output.append(Self.value(name, [1, blob.shape.count]))
    }

    /// Whether a value is the result of an operation.
    func isResult(_ name: String, of type: String) -> Bool {
        graph.node.last { $0.output.contains(name) }?.opType == type
    }

    private mutating func newName() -> String {
        nameCount += 1
        return "t\(nameCount)"
    }

    private static func value(_ name: String, _ dimensions: [Int]) -> ONNXValueInfoProto {
        ONNXValueInfoProto.with { value in
            value.name = name
            value.type.tensorType.elemType = Int32(ONNXTensorProto.DataType.float.rawValue)
            value.type.tensorType.shape.dim = dimensions.map { length in .with { $0.dimValue = Int64(length) } }
        }
    }

    private static func attribute(_ name: String, _ value: Attribute) -> ONNXAttributeProto {
        ONNXAttributeProto.with { attribute in
            attribute.name = name
            switch value {
            case .integer(let number):
                attribute.type = .int
                attribute.i = Int64(number)
            case .integers(let numbers):
                attribute.type = .ints
                attribute.ints = numbers.map(Int64.init)
            case .float(let number):
                attribute.type = .float
                attribute.f = number
            case .text(let text):
                attribute.type = .string
                attribute.s = Data(text.utf8)
            }
        }
    }

    private static let hasTooManyWeights = ConversionFailure(
        "The model has more than 200 million weights", .useSmaller)
    private static let mostNodes = 50_000
    private static let mostWeights = 200_000_000
}
