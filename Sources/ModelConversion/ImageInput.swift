// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ModelFormats

/// An image input of a model.
struct ImageInput {
    let width, height: Int
    let isGray: Bool
    /// The order of the channels; RGB for an image that is turned to grey.
    let order: ModelInput.ChannelOrder

    /// - Throws: `ConversionFailure` if no picture can be given to the input.
    init(_ type: CoreMLImageFeatureType) throws(ConversionFailure) {
        guard type.width >= 1, type.height >= 1 else {
            throw ConversionFailure("The image input has an impossible size", .exportAgain)
        }
        guard type.width <= 4096, type.height <= 4096 else {
            throw ConversionFailure("The image input is wider or higher than 4096 pixels", .useSmaller)
        }
        (width, height) = (Int(type.width), Int(type.height))
        switch type.colorSpace {
        case .rgb: (isGray, order) = (false, .rgb)
        case .bgr: (isGray, order) = (false, .bgr)
        case .grayscale: (isGray, order) = (true, .rgb)
        default: throw ConversionFailure("The image input has a colour space that is not supported", .useONNX)
        }
    }

    /// Returns the blob for the layers, from the tensor of 3 × height × width, after the preprocessing of the file.
    func blob(
        _ steps: [CoreMLNeuralNetworkPreprocessing], in graph: inout GraphBuilder
    ) throws(ConversionFailure) -> Blob {
        let shape = try BlobShape(isGray ? 1 : 3, height, width)
        var name = ConvertedModel.inputName
        // Source of the weights: Recommendation ITU-R BT.601, section 2.5.1.
        if isGray { name = try graph.node("Conv", [name, graph.constant([0.299, 0.587, 0.114], [1, 3, 1, 1])]) }
        for step in steps {
            switch step.preprocessor {
            case .scaler(let scaler)?:
                let color = [scaler.redBias, scaler.greenBias, scaler.blueBias]
                let biases = isGray ? [scaler.grayBias] : order == .rgb ? color : color.reversed()
                guard scaler.channelScale.isFinite, scaler.channelScale != 0, biases.allSatisfy(\.isFinite) else {
                    throw ConversionFailure("The preprocessing has an impossible scale", .exportAgain)
                }
                name = try graph.scaled(name, by: scaler.channelScale)
                if biases.contains(where: { $0 != 0 }) {
                    name = try graph.node("Add", [name, graph.constant(biases, [biases.count, 1, 1])])
                }
            case .meanImage(let mean)?:
                guard mean.meanImage.count == shape.count, mean.meanImage.allSatisfy(\.isFinite) else {
                    throw ConversionFailure("The mean image has another size than the input", .exportAgain)
                }
                name = try graph.node("Sub", [name, graph.constant(mean.meanImage, shape.lengths)])
            case nil: throw ConversionFailure("The preprocessing has no kind", .exportAgain)
            }
        }
        return Blob(name: name, shape: shape)
    }
}
