// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// The conversion of the operations of an ML program, one after the other.
struct ProgramConversion {
    var graph: GraphBuilder
    /// The values by their names in the program.
    private(set) var values: [String: ProgramValue] = [:]
    /// The labels and their scores, by the names under which a classifier gives its scores.
    private(set) var classes: [String: (labels: [String], scores: ProgramTensor)] = [:]
    private var constants: ConstantReader
    /// The sum of the counts of all results.
    private var numberCount = 0

    init(_ graph: GraphBuilder, _ weights: WeightFile) {
        self.graph = graph
        constants = ConstantReader(weights)
    }

    /// Returns the only function of a program, and its only block.
    static func main(of program: MILProgram) throws(ConversionFailure) -> (function: MILFunction, block: MILBlock) {
        guard program.functions.count == 1, let function = program.functions["main"] else {
            throw ConversionFailure("The program has several functions, or none with the name main", .exportAgain)
        }
        guard function.blockSpecializations.count == 1, let block = function.blockSpecializations[function.opset],
            block.inputs.isEmpty
        else { throw ConversionFailure("The program has no block for its set of operations", .exportAgain) }
        return (function, block)
    }

    /// Converts the operations in the order of the program, in which each follows those that it needs.
    ///
    /// - Parameter inputs: the values of the function's inputs.
    mutating func convert(_ block: MILBlock, inputs: [String: ProgramTensor]) throws(ConversionFailure) {
        guard block.operations.count <= Self.mostOperations else {
            throw ConversionFailure("The program has more than \(Self.mostOperations) operations", .useSmaller)
        }
        values = inputs.mapValues(ProgramValue.tensor)
        for operation in block.operations {
            let name = operation.outputs.first?.name ?? ""
            guard operation.blocks.isEmpty else {
                throw ConversionFailure(
                    "The operation \(ConversionFailure.quoted(name)) has a condition or a loop", .useONNX)
            }
            var context = OperationContext(
                type: operation.type, name: name, arguments: try arguments(of: operation, name),
                outputCount: operation.outputs.count, graph: graph)
            // Without a second owner, the graph grows in place.
            graph = GraphBuilder()
            let results = try context.convert()
            try context.requireAllRead()
            graph = context.graph
            if let found = context.classes, let name = operation.outputs.last?.name { classes[name] = found }
            try keep(results, operation)
        }
    }

    private mutating func arguments(
        of operation: MILOperation, _ name: String
    ) throws(ConversionFailure) -> [String: [ProgramValue]] {
        var arguments: [String: [ProgramValue]] = [:]
        for (key, argument) in operation.inputs {
            for binding in argument.arguments {
                switch binding.binding {
                case .name(let name)?:
                    guard let value = values[name] else {
                        throw ConversionFailure(
                            "The value \(ConversionFailure.quoted(name)) is made by no earlier operation", .exportAgain)
                    }
                    arguments[key, default: []].append(value)
                case .value(let value)?:
                    arguments[key, default: []].append(.constant(try constants.constant(value, name)))
                case nil: throw ConversionFailure("An operation has an empty input", .exportAgain)
                }
            }
        }
        // Attributes hold the value of a constant, and the parts of compressed weights.
        for (key, value) in operation.attributes where key != "name" {
            guard arguments[key] == nil else {
                throw ConversionFailure("An operation has an input twice", .exportAgain)
            }
            arguments[key] = [.constant(try constants.constant(value, name))]
        }
        return arguments
    }

    private mutating func keep(_ results: [ProgramValue], _ operation: MILOperation) throws(ConversionFailure) {
        guard results.count == operation.outputs.count else {
            throw ConversionFailure("An operation has another number of results than its kind", .exportAgain)
        }
        for (output, result) in zip(operation.outputs, results) {
            if let shape = result.shape {
                guard case .tensorType(let type)? = output.type.type,
                    try ConstantReader.shape(type, output.name) == shape
                else {
                    throw ConversionFailure(
                        "The operation \(ConversionFailure.quoted(output.name)) has another result than the program says",
                        .exportAgain)
                }
                numberCount += shape.count
                guard numberCount <= Self.mostNumbers else {
                    throw ConversionFailure(
                        "The operations have more than a billion results for a picture", .useSmaller)
                }
            }
            guard values.updateValue(result, forKey: output.name) == nil else {
                throw ConversionFailure(
                    "The value \(ConversionFailure.quoted(output.name)) is made twice", .exportAgain)
            }
        }
    }

    private static let mostOperations = 50_000
    private static let mostNumbers = 1 << 30
}

extension ProgramValue {
    /// The shape of a number or a tensor of numbers; nil for the result of a classifier, and for lists of labels.
    fileprivate var shape: TensorShape? {
        switch self {
        case .tensor(let tensor): tensor.shape
        case .constant(let constant): constant.shape
        case .classification: nil
        }
    }
}
