// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Arithmetic and functions of each number.
extension OperationContext {
    /// Returns the result of an operation of each number; nil for an operation of another kind.
    mutating func convertElementwise() throws(ConversionFailure) -> [ProgramValue]? {
        if let node = Self.pairs[type] { return try pairwise(node) }
        if let node = Self.functions[type] { return try function(node) }
        switch type {
        case "cast", "identity": return try identity()
        case "rsqrt": return try reciprocal(of: "Sqrt", usual: 1e-12)
        case "inverse": return try reciprocal(of: nil, usual: 1e-4)
        case "square":
            let x = try tensor("x")
            return try result("Mul", [x.name, x.name], [:], x.shape)
        case "log":
            let (x, epsilon) = (try tensor("x"), try number("epsilon", usual: 1e-45))
            return try result("Log", [try graph.scaled(x.name, by: 1, plus: epsilon)], [:], x.shape)
        case "clip": return try clipped(try number("alpha"), try number("beta"))
        case "relu6": return try clipped(0, 6)
        case "leaky_relu": return try function("LeakyRelu", ["alpha": .float(try number("alpha"))])
        case "elu": return try function("Elu", ["alpha": .float(try number("alpha"))])
        case "sigmoid_hard":
            // OpenVINO 2026.4.1 takes a zero in HardSigmoid for the usual value, so the line and its bounds stand apart.
            let (x, alpha, beta) = (try tensor("x"), try number("alpha"), try number("beta"))
            let line = try graph.scaled(x.name, by: alpha, plus: beta)
            return try result("Clip", [line, graph.constant([0], []), graph.constant([1], [])], [:], x.shape)
        case "linear_activation":
            let (x, alpha, beta) = (try tensor("x"), try number("alpha"), try number("beta", usual: 0))
            guard alpha != 1 || beta != 0 else { return [.tensor(x)] }
            return [.tensor(ProgramTensor(name: try graph.scaled(x.name, by: alpha, plus: beta), shape: x.shape))]
        case "scaled_tanh":
            let (x, alpha, beta) = (try tensor("x"), try number("alpha"), try number("beta"))
            let name = try graph.node("Tanh", [try graph.scaled(x.name, by: beta)])
            return [.tensor(ProgramTensor(name: try graph.scaled(name, by: alpha), shape: x.shape))]
        case "prelu": return try parametricRectifier()
        case "thresholded_relu": return try thresholdedRectifier()
        case "silu":
            let x = try tensor("x")
            return try result("Mul", [x.name, try graph.node("Sigmoid", [x.name])], [:], x.shape)
        case "gelu": return try errorUnit()
        case "softmax":
            let x = try tensor("x")
            return try result(
                "Softmax", [x.name], ["axis": .integer(try axis("axis", of: x.shape, usual: -1))], x.shape)
        default: return nil
        }
    }

    private static let pairs = [
        "add": "Add", "sub": "Sub", "mul": "Mul", "real_div": "Div", "maximum": "Max", "minimum": "Min", "pow": "Pow",
    ]

    private static let functions = [
        "relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh", "exp": "Exp", "sqrt": "Sqrt", "abs": "Abs", "erf": "Erf",
        "floor": "Floor", "ceil": "Ceil", "sign": "Sign", "softplus": "Softplus", "softsign": "Softsign",
    ]

    private mutating func pairwise(_ node: String) throws(ConversionFailure) -> [ProgramValue] {
        let (x, y) = (try tensor("x"), try tensor("y"))
        guard let shape = try x.shape.broadcast(with: y.shape) else { throw failure("has inputs that do not fit") }
        return try result(node, [x.name, y.name], [:], shape)
    }

    private mutating func function(
        _ node: String, _ attributes: KeyValuePairs<String, GraphBuilder.Attribute> = [:]
    ) throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        return try result(node, [x.name], attributes, x.shape)
    }

    /// Returns the input: numbers of 16 bits become numbers of 32 bits everywhere.
    private mutating func identity() throws(ConversionFailure) -> [ProgramValue] {
        if type == "cast", !["fp16", "fp32"].contains(try text("dtype")) {
            throw failure("makes integers, which is not supported", .useONNX)
        }
        return [.tensor(try tensor("x"))]
    }

    private mutating func reciprocal(of function: String?, usual: Float) throws(ConversionFailure) -> [ProgramValue] {
        let (x, epsilon) = (try tensor("x"), try number("epsilon", usual: usual))
        var name = try graph.scaled(x.name, by: 1, plus: epsilon)
        if let function { name = try graph.node(function, [name]) }
        return try result("Reciprocal", [name], [:], x.shape)
    }

    private mutating func clipped(_ least: Float, _ most: Float) throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        guard least <= most else { throw failure("has impossible bounds") }
        return try result("Clip", [x.name, graph.constant([least], []), graph.constant([most], [])], [:], x.shape)
    }

    /// A line whose slope below zero is that of the channel.
    private mutating func parametricRectifier() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        guard x.shape.rank == 4 else { throw failure("has other than four dimensions", .useONNX) }
        let count = x.lengths[1]
        let slopes = try numbers("alpha", TensorShape([count]))
        let shape = [count] + [1, 1]
        return try result("PRelu", [x.name, graph.constant(slopes, shape)], [:], x.shape)
    }

    /// The number itself from a threshold on, and zero below.
    private mutating func thresholdedRectifier() throws(ConversionFailure) -> [ProgramValue] {
        let (x, threshold) = (try tensor("x"), try number("alpha", usual: 1))
        let isAbove = try graph.node("GreaterOrEqual", [x.name, graph.constant([threshold], [])])
        return try result("Where", [isAbove, x.name, graph.constant([0], [])], [:], x.shape)
    }

    /// The Gaussian error linear unit. Source: Hendrycks and Gimpel, https://arxiv.org/abs/1606.08415
    private mutating func errorUnit() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let share: String
        switch try text("mode", usual: "EXACT") {
        case "EXACT":
            let value = try graph.node("Erf", [try graph.scaled(x.name, by: 1 / Float(2).squareRoot())])
            share = try graph.scaled(try graph.scaled(value, by: 1, plus: 1), by: 0.5)
        case "TANH_APPROXIMATION":
            let cube = try graph.node("Mul", [try graph.node("Mul", [x.name, x.name]), x.name])
            let sum = try graph.node("Add", [x.name, try graph.scaled(cube, by: 0.044715)])
            let value = try graph.node("Tanh", [try graph.scaled(sum, by: (2 / Float.pi).squareRoot())])
            share = try graph.scaled(try graph.scaled(value, by: 1, plus: 1), by: 0.5)
        case "SIGMOID_APPROXIMATION": share = try graph.node("Sigmoid", [try graph.scaled(x.name, by: 1.702)])
        default: throw failure("has an unknown mode")
        }
        return try result("Mul", [x.name, share], [:], x.shape)
    }
}
