// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The conversion of an operation by its kind. Source: https://apple.github.io/coremltools/source/coremltools.converters.mil.mil.ops.defs.html
extension OperationContext {
    mutating func convert() throws(ConversionFailure) -> [ProgramValue] {
        if let results = try convertConstant() { return results }
        if let results = try convertElementwise() { return results }
        switch type {
        case "batch_norm": return try batchNormalization()
        case "instance_norm": return try instanceNormalization()
        case "layer_norm": return try layerNormalization()
        case "l2_norm": return try lengthNormalization()
        case "conv": return try convolution()
        case "max_pool": return try pooling(isAverage: false)
        case "avg_pool": return try pooling(isAverage: true)
        case "linear": return try linear()
        case "matmul": return try product()
        case "scaled_dot_product_attention": return try attention()
        case "reduce_mean": return try reduction("ReduceMean")
        case "reduce_max": return try reduction("ReduceMax")
        case "reduce_min": return try reduction("ReduceMin")
        case "reduce_l2_norm": return try reduction("ReduceL2")
        case "reduce_sum": return try reduction("ReduceSum")
        case "transpose": return try transposition()
        case "reshape": return try reshaping()
        case "squeeze": return try squeezing()
        case "expand_dims": return try expansion()
        case "flatten2d": return try flattening()
        case "concat": return try concatenation()
        case "stack": return try stacking()
        case "split": return try splitting()
        case "slice_by_index": return try slicingByIndex()
        case "slice_by_size": return try slicingBySize()
        case "pad": return try padding()
        case "gather": return try gathering()
        case "scatter": return try scattering()
        case "equal", "not_equal": return try comparison()
        case "select": return try selection()
        case "tile": return try tiling()
        case "upsample_nearest_neighbor": return try upsampling("nearest")
        case "upsample_bilinear": return try upsampling("linear")
        case "pixel_shuffle": return try pixelShuffling()
        case "classify": return try classification()
        default:
            throw ConversionFailure(
                "The operation \(ConversionFailure.quoted(name)) is of the kind \(ConversionFailure.quoted(type)), which is"
                    + " not supported", .useONNX)
        }
    }

    /// Ends a classifier: its scores become the output of the converted model.
    private mutating func classification() throws(ConversionFailure) -> [ProgramValue] {
        let scores = try tensor("probabilities")
        let labels: [String]
        switch try constant("classes")?.elements {
        case .texts(let texts)?: labels = texts
        case .integers(let integers)?: labels = integers.map(String.init)
        default: throw failure("has no labels")
        }
        guard scores.shape.count == labels.count else {
            throw ConversionFailure("The model has another number of labels than of probabilities", .exportAgain)
        }
        classes = (labels, scores)
        return [.classification, .classification]
    }
}
