// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import ModelFormats
import SwiftProtobuf
import Testing

@testable import ModelConversion

@Suite("Models that are refused") struct RefusalTests {
    /// Returns the message of the refusal, or nil if the model was converted.
    static func refusal(_ model: CoreMLModel) throws -> String? {
        try refusal(TestModels.bytes(model))
    }

    static func refusal(_ bytes: [UInt8]) -> String? {
        do throws(ConversionFailure) {
            _ = try CoreMLFile(bytes).converted()
            return nil
        } catch {
            return error.message
        }
    }

    @Test("A classifier that is complete is converted") func complete() throws {
        let model = try CoreMLFile(TestModels.bytes(TestModels.classifier())).converted()
        #expect(model.interface.outputs.map(\.count) == [2])
        #expect(model.interface.channelOrder == .rgb && model.interface.width == 8)
    }

    @Test(
        "Bytes that are no model are refused with a remedy",
        arguments: [[], [0], Array("not a model".utf8), Array(repeating: 0xFF, count: 100)])
    func noModel(_ bytes: [UInt8]) {
        #expect(Self.refusal(bytes)?.contains("no complete Core ML model; export the model again") == true)
    }

    @Test("A file of a newer version of the format is refused") func newerVersion() throws {
        var model = TestModels.classifier()
        model.specificationVersion = 10
        #expect(try Self.refusal(model) == nil)
        model.specificationVersion = 11
        #expect(
            try Self.refusal(model)?.hasPrefix("The file has version 11 of the format, and the newest known") == true)
    }

    /// Layers on an array of 1 × 6 × 4 that OpenVINO or the conversion would compute wrongly.
    private static let wrongLayers: [(words: String, change: @Sendable (inout CoreMLNeuralNetworkLayer) -> Void)] = [
        (
            "a kernel of one pixel with strides and padding",
            {
                convolve(&$0, kernel: [1, 1], stride: [2, 2])
                $0.convolution.valid.paddingAmounts.borderAmounts = [
                    .with { $0.startEdgeSize = 0 }, .with { $0.endEdgeSize = 1 },
                ]
            }
        ),
        ("one column of a single channel with strides", { convolve(&$0, kernel: [3, 4], stride: [1, 2]) }),
        (
            "a padding that is as large as its window",
            {
                $0.pooling.type = .average
                $0.pooling.kernelSize = [2, 1]
                $0.pooling.stride = [1, 1]
                $0.pooling.includeLastPixel.paddingAmounts = [4, 0]
            }
        ),
        (
            "a negative variance or epsilon",
            {
                $0.batchnorm.channels = 1
                for weights in [\CoreMLBatchnormLayerParams.gamma, \.beta, \.mean, \.variance] {
                    $0.batchnorm[keyPath: weights].floatValue = [1]
                }
                $0.batchnorm.epsilon = -0.001
            }
        ),
        (
            "a factor or an exponent that is not supported",
            {
                $0.lrn.localSize = 1
                $0.lrn.alpha = 1
                $0.lrn.beta = -1
                $0.lrn.k = 1
            }
        ),
    ]

    private static func convolve(_ layer: inout CoreMLNeuralNetworkLayer, kernel: [UInt64], stride: [UInt64]) {
        layer.convolution.outputChannels = 1
        layer.convolution.kernelChannels = 1
        layer.convolution.kernelSize = kernel
        layer.convolution.stride = stride
        layer.convolution.valid = CoreMLValidPadding()
        layer.convolution.weights.floatValue = Array(repeating: 1, count: Int(kernel[0] * kernel[1]))
    }

    @Test("Layers that would be computed wrongly are refused", arguments: wrongLayers.indices) func wrong(_ place: Int)
        throws
    {
        let (words, change) = Self.wrongLayers[place]
        let message = try Self.refusal(TestModels.network([1, 6, 4], change))
        #expect(message?.contains(words) == true, "\(message ?? "it was converted")")
    }

    @Test("A model that is cut off is refused") func cutOff() throws {
        let bytes = try TestModels.bytes(TestModels.classifier())
        for length in 1..<bytes.count {
            #expect(Self.refusal(Array(bytes.prefix(length))) != nil, "\(length) of \(bytes.count) bytes")
        }
    }

    @Test("An unknown field of a layer is refused with the names of the field and the layer") func unknownField() throws
    {
        var layer = TestModels.layer("odd", ["probabilities"], ["more"]) { $0.softmax = CoreMLSoftmaxLayerParams() }
        // The field 77 with the value 1.
        try layer.softmax.merge(serializedBytes: [0xE8, 0x04, 0x01] as [UInt8])
        let message = try #require(try Self.refusal(TestModels.classifier(extraLayers: [layer])))
        #expect(message.contains("field 77 of SoftmaxLayerParams in the layer 'odd'"), "\(message)")
    }

    @Test("A layer of another kind is refused with its kind") func otherLayer() throws {
        var layer = TestModels.layer("odd", ["probabilities"], ["more"]) { _ in }
        // The field 930 with an empty message.
        try layer.merge(serializedBytes: [0x92, 0x3A, 0x00] as [UInt8])
        let message = try #require(try Self.refusal(TestModels.classifier(extraLayers: [layer])))
        #expect(message.contains("The layer 'odd' is of the kind gather"), "\(message)")
    }

    @Test func `layers of one kind that is not supported are named together`() throws {
        let layers = try (1...35).map { number in
            var layer = TestModels.layer("clip\(number)", ["probabilities"], ["more\(number)"]) { _ in }
            // The field 660 with an empty message.
            try layer.merge(serializedBytes: [0xA2, 0x29, 0x00] as [UInt8])
            return layer
        }
        let model = TestModels.classifier(extraLayers: layers)
        let parts = try CoreMLFile(TestModels.bytes(model)).inspected().description.unsupportedParts
        #expect(parts.count == 1 && parts[0].hasPrefix("35 layers, such as 'clip1', are of the kind clip"), "\(parts)")
    }

    @Test func `fields that only training reads are no reason to refuse a model, and others beside them are`() throws {
        var model = TestModels.classifier()
        // The field 10 of the network, and the field 50 of the description, each with a message of two bytes.
        try model.neuralNetworkClassifier.merge(serializedBytes: [0x52, 0x02, 0x08, 0x01] as [UInt8])
        try model.description_p.merge(serializedBytes: [0x92, 0x03, 0x02, 0x08, 0x01] as [UInt8])
        let message = try Self.refusal(model)
        #expect(message == nil)
        // The field 77 behind it.
        try model.neuralNetworkClassifier.merge(serializedBytes: [0xE8, 0x04, 0x01] as [UInt8])
        let refusal = try Self.refusal(model) ?? ""
        #expect(refusal.contains("field 77 of NeuralNetworkClassifier"), "\(refusal)")
    }

    @Test(
        "Models of other kinds are refused with the reason and the remedy",
        arguments: [
            (2002, "feature print", "train a network"),
            (555, "code of an app", "neural network"), (3000, "Apple's systems", "neural network"),
            (302, "tree ensemble", "neural network"),
        ])
    func otherModel(number: Int, reason: String, remedy: String) throws {
        var bytes = try TestModels.bytes(
            .with {
                $0.specificationVersion = 1
                $0.description_p = TestModels.description()
            })
        let key = UInt32(number << 3 | 2)
        var rest = key
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        bytes += [UInt8(rest), 0]
        let message = try #require(Self.refusal(bytes))
        #expect(message.contains(reason) && message.contains(remedy), "\(message)")
    }

    @Test func `A feature print inside of a pipeline is refused with its name`() throws {
        var part = CoreMLModel.with { $0.specificationVersion = 1 }
        try part.merge(serializedBytes: [0x92, 0x7D, 0x00] as [UInt8])
        let model = CoreMLModel.with {
            $0.specificationVersion = 1
            $0.description_p = TestModels.description()
            $0.pipelineClassifier.pipeline.models = [part]
        }
        #expect(try Self.refusal(model)?.contains("feature print") == true)
    }

    static let impossible: [(String, CoreMLModel)] = [
        (
            "window",
            TestModels.network([3, 4, 4]) {
                $0.pooling.kernelSize = [9, 9]
                $0.pooling.valid = .init()
            }
        ),
        ("padding", TestModels.network([3, 4, 4]) { $0.pooling.kernelSize = [2, 2] }),
        (
            "border",
            TestModels.network([3, 4, 4]) {
                $0.padding.constant = .init()
                $0.padding.paddingAmounts.borderAmounts = [
                    .with { $0.startEdgeSize = .max }, .with { $0.endEdgeSize = .max },
                ]
            }
        ),
        ("scaling", TestModels.network([3, 4, 4]) { $0.upsample.scalingFactor = [1 << 24, 1 << 24] }),
        (
            "stride",
            TestModels.network([3, 4, 4]) {
                $0.convolution.isDeconvolution = true
                $0.convolution.outputChannels = 1
                $0.convolution.kernelChannels = 3
                $0.convolution.kernelSize = [1, 1]
                $0.convolution.stride = [1 << 24, 1 << 24]
                $0.convolution.outputShape = [5, 5]
                $0.convolution.valid = .init()
                $0.convolution.weights.floatValue = [1, 1, 1]
            }
        ),
        ("split", TestModels.network([3, 4, 4]) { $0.split.nOutputs = 2 }),
        (
            "kernels",
            TestModels.network([3, 4, 4]) {
                $0.convolution.outputChannels = 1 << 24
                $0.convolution.kernelChannels = 3
                $0.convolution.kernelSize = [1 << 24, 1 << 24]
                $0.convolution.valid = .init()
            }
        ),
        (
            "weights",
            TestModels.network([3, 1, 1]) {
                $0.innerProduct.inputChannels = 3
                $0.innerProduct.outputChannels = 1 << 24
                $0.innerProduct.weights.floatValue = [1, 2, 3]
            }
        ),
        (
            "encodings",
            TestModels.network([3, 1, 1]) {
                $0.innerProduct.inputChannels = 3
                $0.innerProduct.outputChannels = 1
                $0.innerProduct.weights.floatValue = [1, 2, 3]
                $0.innerProduct.weights.float16Value = Data([0, 0, 0, 0, 0, 0])
            }
        ),
        (
            "not finite",
            TestModels.network([3, 1, 1]) {
                $0.innerProduct.inputChannels = 3
                $0.innerProduct.outputChannels = 1
                $0.innerProduct.weights.floatValue = [1, .nan, 3]
            }
        ),
        (
            "bits",
            TestModels.network([3, 1, 1]) {
                $0.innerProduct.inputChannels = 3
                $0.innerProduct.outputChannels = 1
                $0.innerProduct.weights.rawValue = Data([1, 2, 3])
                $0.innerProduct.weights.quantization.numberOfBits = 9
            }
        ),
        ("axes", TestModels.network([3, 1, 1]) { $0.permute.axis = [0, 1, 1, 3] }),
        ("five dimensions", TestModels.network([1, 3, 1, 1], exact: true) { $0.permute.axis = [0, 1, 2, 3] }),
        (
            "slice",
            TestModels.network([3, 1, 1]) {
                $0.slice.startIndex = .min
                $0.slice.endIndex = .min
                $0.slice.stride = 1
            }
        ),
        ("shape", TestModels.network([.max, .max, .max]) { $0.softmax = .init() }),
    ]

    @Test(
        "Impossible sizes are refused without a trap, each in one sentence with a remedy", arguments: impossible.indices
    )
    func impossibleSizes(index: Int) throws {
        let (name, model) = Self.impossible[index]
        let message = try #require(try Self.refusal(model), "\(name)")
        #expect(message.contains("; ") && message.hasSuffix(".") && !message.dropLast().contains(". "), "\(message)")
    }

    @Test("The names of layers in messages have no control characters, and end after 64 characters") func names() throws
    {
        let name = "\u{1B}[31m" + String(repeating: "a", count: 500)
        let layer = TestModels.layer(name, ["probabilities"], ["more"]) { _ in }
        let message = try #require(try Self.refusal(TestModels.classifier(extraLayers: [layer])))
        #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 } && message.count < 200, "\(message)")
    }

    @Test("Labels without as many probabilities are refused") func labels() throws {
        let model = TestModels.classifier { $0.stringClassLabels.vector = ["NSFW", "SFW", "other"] }
        #expect(try Self.refusal(model)?.contains("number of labels") == true)
    }

    @Test
    func `The probabilities without a name are those of the last layer, also after a layer without a name`() throws {
        let last = TestModels.layer("last", ["probabilities"], ["turned"]) {
            $0.innerProduct.inputChannels = 2
            $0.innerProduct.outputChannels = 2
            $0.innerProduct.weights.floatValue = [0, 1, 1, 0]
        }
        func output(_ name: String, _ layers: [String]) throws -> [UInt8] {
            let model = TestModels.classifier(extraLayers: [last]) {
                $0.labelProbabilityLayerName = name
                for (place, layer) in layers.enumerated() { $0.layers[place].name = layer }
            }
            return try CoreMLFile(TestModels.bytes(model)).converted().bytes
        }
        #expect(try output("", ["average", "product", ""]) == output("last", ["average", "product", "softmax"]))
        #expect(try output("", ["average", "product", ""]) != output("probabilities", ["average", "product", ""]))
    }

    @Test func `A name of probabilities that no layer has is refused`() throws {
        let model = TestModels.classifier { $0.labelProbabilityLayerName = "nothing" }
        #expect(try Self.refusal(model)?.contains("No layer makes the probabilities") == true)
    }

    /// A pipeline of models, with the description of the first.
    static func pipeline(_ models: [CoreMLModel]) -> CoreMLModel {
        .with {
            $0.specificationVersion = 1
            $0.description_p = TestModels.description()
            $0.pipelineClassifier.pipeline.models = models
        }
    }

    @Test("A pipeline has one classifier, which is its last part") func pipelines() throws {
        let classifier = TestModels.classifier()
        #expect(try Self.refusal(Self.pipeline([classifier])) == nil)
        #expect(
            try Self.refusal(Self.pipeline([classifier, classifier]))?.contains("classifier before its last") == true)
        var other = Self.pipeline([classifier])
        other.description_p.input[0].type.imageType.width = 999
        #expect(try Self.refusal(other)?.contains("another input than its first part") == true)
        other = Self.pipeline([classifier])
        other.description_p.predictedProbabilitiesName = "others"
        #expect(try Self.refusal(other)?.contains("other probabilities") == true)
    }

    @Test("Sums of absolute values are made without ReduceL1, whose axes OpenVINO ignores") func absoluteSums() throws {
        let model = TestModels.network([3, 4, 4]) {
            $0.reduce.mode = .l1
            $0.reduce.axis = .c
        }
        let bytes = try CoreMLFile(TestModels.bytes(model)).converted().bytes
        #expect(!String(decoding: bytes, as: UTF8.self).contains("ReduceL1"))
    }

    @Test("A preprocessing that makes every picture equal is refused") func scale() throws {
        let model = TestModels.classifier { $0.preprocessing[0].scaler.channelScale = 0 }
        #expect(try Self.refusal(model)?.contains("impossible scale") == true)
    }
}
