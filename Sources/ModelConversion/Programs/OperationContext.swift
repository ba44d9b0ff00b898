// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// An operation that is being converted, with its inputs and the graph that it adds nodes to.
struct OperationContext {
    let type: String
    let name: String
    private let arguments: [String: [ProgramValue]]
    let outputCount: Int
    var graph: GraphBuilder
    /// The labels and their scores, if the operation is the end of a classifier.
    var classes: (labels: [String], scores: ProgramTensor)?
    /// The names of the inputs that were asked for.
    private var readNames: Set<String> = []

    init(
        type: String, name: String, arguments: [String: [ProgramValue]], outputCount: Int, graph: GraphBuilder
    ) {
        (self.type, self.name, self.arguments, self.outputCount, self.graph) = (
            type, name, arguments, outputCount, graph
        )
    }

    /// Returns a refusal of the operation.
    ///
    /// - Parameter reason: the words after the operation's name.
    func failure(_ reason: String, _ remedy: ConversionFailure.Remedy = .exportAgain) -> ConversionFailure {
        let kind = ConversionFailure.quoted(type)
        return ConversionFailure(
            "The operation \(ConversionFailure.quoted(name)) of the kind \(kind) \(reason)", remedy)
    }

    /// - Throws: `ConversionFailure` if the operation has an input that nobody asked for, since it might mean something.
    func requireAllRead() throws(ConversionFailure) {
        guard let name = arguments.keys.filter({ !readNames.contains($0) }).min() else { return }
        throw failure("has the input \(ConversionFailure.quoted(name)), which is not supported", .useONNX)
    }

    func has(_ name: String) -> Bool { arguments[name] != nil }

    // MARK: Tensors

    /// Returns an input as a tensor of the graph, which a constant of numbers becomes.
    mutating func tensor(_ name: String) throws(ConversionFailure) -> ProgramTensor {
        let tensors = try tensors(name)
        guard tensors.count == 1 else { throw failure("has several values for \(ConversionFailure.quoted(name))") }
        return tensors[0]
    }

    mutating func tensors(_ name: String) throws(ConversionFailure) -> [ProgramTensor] {
        var tensors: [ProgramTensor] = []
        for value in try all(name) {
            switch value {
            case .tensor(let tensor):
                guard !tensor.isOfFlags else { throw failure("has flags where numbers are expected", .useONNX) }
                tensors.append(tensor)
            case .constant(let constant):
                guard case .numbers(let numbers) = constant.elements else {
                    throw failure("has integers where numbers are expected", .useONNX)
                }
                tensors.append(
                    ProgramTensor(name: try graph.constant(numbers, constant.shape.lengths), shape: constant.shape))
            case .classification: throw failure("uses the result of a classifier", .useONNX)
            }
        }
        return tensors
    }

    /// Returns an input as a tensor of flags.
    mutating func flagTensor(_ name: String) throws(ConversionFailure) -> ProgramTensor {
        let values = try all(name)
        guard values.count == 1, case .tensor(let tensor) = values[0], tensor.isOfFlags else {
            throw failure("has no flags \(ConversionFailure.quoted(name)) of earlier operations", .useONNX)
        }
        return tensor
    }

    /// Adds a node with one result of the shape, and returns it as the only result of the operation.
    mutating func result(
        _ type: String, _ inputs: [String], _ attributes: KeyValuePairs<String, GraphBuilder.Attribute> = [:],
        _ shape: TensorShape
    ) throws(ConversionFailure) -> [ProgramValue] {
        [.tensor(ProgramTensor(name: try graph.node(type, inputs, attributes), shape: shape))]
    }

    // MARK: Constants

    /// Returns a constant; nil if the operation has no such input.
    mutating func constant(_ name: String) throws(ConversionFailure) -> ProgramConstant? {
        guard has(name) else { return nil }
        let values = try all(name)
        guard values.count == 1, case .constant(let constant) = values[0] else {
            throw failure("has \(ConversionFailure.quoted(name)) that is no constant", .useONNX)
        }
        return constant
    }

    /// - Parameter usual: the integers if the operation has no such input.
    mutating func integers(_ name: String, usual: [Int]? = nil) throws(ConversionFailure) -> [Int] {
        switch try constant(name)?.elements {
        case .integers(let integers)? where integers.count <= Self.mostIntegers: return integers
        case nil: if let usual { return usual }
        default: break
        }
        throw failure("has no integers \(ConversionFailure.quoted(name))")
    }

    mutating func integer(_ name: String, usual: Int? = nil) throws(ConversionFailure) -> Int {
        let integers = try integers(name, usual: usual.map { [$0] })
        guard integers.count == 1 else { throw failure("has no integer \(ConversionFailure.quoted(name))") }
        return integers[0]
    }

    /// Returns numbers of a shape; the usual number for each if the operation has no such input.
    mutating func numbers(
        _ name: String, _ shape: TensorShape, usual: Float? = nil
    ) throws(ConversionFailure) -> [Float] {
        guard let constant = try constant(name) else {
            guard let usual else { throw failure("has no \(ConversionFailure.quoted(name))") }
            return Array(repeating: usual, count: shape.count)
        }
        guard case .numbers(let numbers) = constant.elements, constant.shape == shape, numbers.allSatisfy(\.isFinite)
        else { throw failure("has impossible numbers \(ConversionFailure.quoted(name))") }
        return numbers
    }

    mutating func number(_ name: String, usual: Float? = nil) throws(ConversionFailure) -> Float {
        try numbers(name, TensorShape([]), usual: usual)[0]
    }

    mutating func flag(_ name: String, usual: Bool) throws(ConversionFailure) -> Bool {
        guard let constant = try constant(name) else { return usual }
        guard case .flags(let flags) = constant.elements, flags.count == 1 else {
            throw failure("has no flag \(ConversionFailure.quoted(name))")
        }
        return flags[0]
    }

    /// Returns flags of the dimensions of a tensor; all false if the operation has no such input.
    mutating func flags(_ name: String, count: Int) throws(ConversionFailure) -> [Bool] {
        guard let constant = try constant(name) else { return Array(repeating: false, count: count) }
        guard case .flags(let flags) = constant.elements, flags.count == count else {
            throw failure("has no flags \(ConversionFailure.quoted(name))")
        }
        return flags
    }

    mutating func text(_ name: String, usual: String? = nil) throws(ConversionFailure) -> String {
        guard let constant = try constant(name) else {
            guard let usual else { throw failure("has no \(ConversionFailure.quoted(name))") }
            return usual
        }
        guard case .texts(let texts) = constant.elements, texts.count == 1 else {
            throw failure("has no text \(ConversionFailure.quoted(name))")
        }
        return texts[0]
    }

    // MARK: Dimensions

    /// Returns a dimension, counted from the first; a negative one in the program is counted from the last.
    mutating func axis(_ name: String, of shape: TensorShape, usual: Int? = nil) throws(ConversionFailure) -> Int {
        try position(of: try integer(name, usual: usual), rank: shape.rank)
    }

    /// Returns different dimensions in their order; all if the operation has no such input.
    mutating func axes(_ name: String, of shape: TensorShape) throws(ConversionFailure) -> [Int] {
        var axes: [Int] = []
        for axis in try integers(name, usual: Array(0..<shape.rank)) {
            axes.append(try position(of: axis, rank: shape.rank))
        }
        guard Set(axes).count == axes.count else { throw failure("has a dimension twice") }
        return axes.sorted()
    }

    func position(of axis: Int, rank: Int) throws(ConversionFailure) -> Int {
        guard (-rank..<rank).contains(axis) else { throw failure("has a dimension that its input has not") }
        return axis < 0 ? axis + rank : axis
    }

    private mutating func all(_ name: String) throws(ConversionFailure) -> [ProgramValue] {
        readNames.insert(name)
        guard let values = arguments[name], !values.isEmpty else {
            throw failure("has no input \(ConversionFailure.quoted(name))")
        }
        return values
    }

    private static let mostIntegers = 1 << 22
}
