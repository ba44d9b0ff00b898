// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import ModelFormats
import SwiftProtobuf
import Testing

@testable import ModelConversion

@Suite("ML programs, and their refusals") struct ProgramTests {
    /// Returns the message of the refusal, or nil if the program was converted.
    static func refusal(
        _ model: CoreMLModel, weights: [UInt8] = TestPrograms.weights
    ) throws -> String? {
        let bytes = try TestModels.bytes(model)
        do throws(ConversionFailure) {
            _ = try CoreMLFile(bytes, weights: weights).converted()
            return nil
        } catch {
            return error.message
        }
    }

    @Test func `a program that is complete is converted with its labels`() throws {
        let bytes = try TestModels.bytes(TestPrograms.classifier())
        let (description, model) = try CoreMLFile(bytes, weights: TestPrograms.weights).inspected()
        #expect(description.kind == "ML program" && description.labels == ["NSFW", "SFW"])
        #expect(description.layers.map(\.kind) == ["classify", "linear", "mul", "reduce_mean", "softmax"])
        let interface = try #require(model?.interface, "\(description.unsupportedParts)")
        #expect(interface.outputs.map(\.count) == [2] && interface.channelOrder == .rgb && interface.width == 8)
    }

    private typealias Change = @Sendable (inout MILBlock) -> Void

    private static let wrongOperations: [(words: String, change: Change)] = [
        ("is of the kind 'lstm', which is not supported", { $0.operations[1].type = "lstm" }),
        (
            "has the input 'odd', which is not supported",
            { $0.operations[1].inputs["odd"] = TestPrograms.integer(1) }
        ),
        (
            "has another result than the program says",
            { $0.operations[1].outputs = [TestPrograms.value("means", [1, 4])] }
        ),
        ("The value 'scaled' is made by no earlier operation", { $0.operations.remove(at: 0) }),
        ("The value 'means' is made twice", { $0.operations.insert($0.operations[1], at: 2) }),
        ("has a dimension that its input has not", { $0.operations[1].inputs["axes"] = TestPrograms.integers([4]) }),
        ("has a dimension twice", { $0.operations[1].inputs["axes"] = TestPrograms.integers([2, -2]) }),
        ("has a condition or a loop", { $0.operations[1].blocks = [MILBlock()] }),
        (
            "in another file than weights/weight.bin",
            { $0.operations[2].attributes["val"]?.blobFileValue.fileName = "/etc/passwd" }
        ),
        (
            "lacks a constant of the program",
            { $0.operations[2].attributes["val"]?.blobFileValue.offset = .max }
        ),
        (
            "a constant of another type than the program",
            { $0.operations[2] = TestPrograms.constant("weights", .float32, [2, 3], offset: 64) }
        ),
        (
            "a constant of another length than the program",
            { $0.operations[2] = TestPrograms.constant("weights", .float16, [2, 4], offset: 64) }
        ),
        (
            "more than 200 million numbers",
            { $0.operations[2] = TestPrograms.constant("weights", .float16, [1 << 62, 1 << 62], offset: 64) }
        ),
        (
            "has no fixed size",
            { $0.operations[2].attributes["val"]?.type.tensorType.dimensions[0].unknown.variadic = true }
        ),
        ("an impossible shape", { $0.operations[2].attributes["val"]?.type.tensorType.rank = 3 }),
        (
            "another number of labels than of probabilities",
            { $0.operations[5].inputs["classes"] = TestPrograms.texts(["NSFW"]) }
        ),
    ]

    /// Returns a change that puts operations before the mean of the classifier, which reads the last of them.
    private static func inserting(_ operations: @escaping @Sendable () -> [MILOperation]) -> Change {
        { block in
            block.operations.insert(contentsOf: operations(), at: 1)
            block.operations[operations().count + 1].inputs["x"] = TestPrograms.name("inserted")
        }
    }

    /// Programs that OpenVINO 2026.4.1 computes wrongly, although each operation alone is right.
    private static let wrongInOpenVINO: [(words: String, change: Change)] = [
        (
            "a rectifier with slopes after a product of matrices",
            inserting {
                [
                    TestPrograms.operation(
                        "matmul", ["x": TestPrograms.name("scaled"), "y": TestPrograms.name("scaled")], "product",
                        [1, 3, 8, 8]),
                    TestPrograms.operation(
                        "prelu", ["x": TestPrograms.name("product"), "alpha": TestPrograms.numbers([3])], "inserted",
                        [1, 3, 8, 8]),
                ]
            }
        ),
        (
            "a function such as silu or gelu after a maximum of windows",
            inserting {
                [
                    TestPrograms.operation(
                        "max_pool", ["x": TestPrograms.name("scaled"), "kernel_sizes": TestPrograms.integers([3, 3])],
                        "maximum", [1, 3, 6, 6]),
                    TestPrograms.operation("gelu", ["x": TestPrograms.name("maximum")], "inserted", [1, 3, 6, 6]),
                ]
            }
        ),
        (
            "a kernel of one pixel with strides and padding",
            inserting {
                [
                    TestPrograms.operation(
                        "pad", ["x": TestPrograms.name("scaled"), "pad": TestPrograms.integers([1, 1, 1, 1])], "padded",
                        [1, 3, 10, 10]),
                    TestPrograms.operation(
                        "conv",
                        [
                            "x": TestPrograms.name("padded"), "weight": TestPrograms.numbers([3, 3, 1, 1]),
                            "strides": TestPrograms.integers([2, 2]),
                        ], "inserted", [1, 3, 5, 5]),
                ]
            }
        ),
    ]

    @Test(arguments: wrongInOpenVINO.indices)
    func `operations that are wrong only in OpenVINO and only together are refused`(_ place: Int) throws {
        let (words, change) = Self.wrongInOpenVINO[place]
        let message = try Self.refusal(TestPrograms.classifier(change)) ?? "it was converted"
        #expect(message.contains(words), "\(message)")
    }

    @Test func `only the probabilities that a program returns and its description names are its scores`() throws {
        func second(_ block: inout MILBlock) {
            var other = block.operations[5]
            other.inputs["classes"] = TestPrograms.texts(["SFW", "NSFW"])
            other.outputs = [.with { $0.name = "label2" }, .with { $0.name = "scores2" }]
            block.operations.append(other)
        }
        let dead = try CoreMLFile(TestModels.bytes(TestPrograms.classifier(second)), weights: TestPrograms.weights)
        #expect(dead.inspected().description.labels == ["NSFW", "SFW"])
        let words = "The program returns other probabilities than its description names"
        for outputs in [["label2", "scores2"], ["label"], ["label", "scores", "scores2"]] {
            let message = try Self.refusal(
                TestPrograms.classifier {
                    second(&$0)
                    $0.outputs = outputs
                })
            #expect(message?.hasPrefix(words) == true, "\(outputs): \(message ?? "it was converted")")
        }
        var model = TestPrograms.classifier()
        model.description_p.predictedProbabilitiesName = ""
        #expect(try Self.refusal(model)?.hasPrefix(words) == true)
    }

    @Test func `a flexible input and a stride without bounds are refused`() throws {
        var model = TestPrograms.classifier()
        model.description_p.input[0].type.imageType.enumeratedSizes = .init()
        #expect(try Self.refusal(model)?.hasPrefix("The input has no fixed size") == true)
        var slice = TestPrograms.operations.first { $0.type == "slice_by_index" } ?? MILOperation()
        slice.inputs["stride"]?.arguments[0].value.type.tensorType.dataType = .int64
        slice.inputs["stride"]?.arguments[0].value.immediateValue.tensor.longInts.values = [1, 1, 1, .max]
        #expect(try Self.refusal(TestPrograms.program(slice))?.contains("a slice that is not supported") == true)
    }

    @Test(arguments: wrongOperations.indices)
    func `an operation that could compute something else is refused with a remedy`(_ place: Int) throws {
        let (words, change) = Self.wrongOperations[place]
        let message = try Self.refusal(TestPrograms.classifier(change)) ?? "it was converted"
        #expect(message.contains(words) && message.contains("; "), "\(message)")
    }

    @Test func `a file of weights that is missing or damaged is refused with a remedy`() throws {
        let model = TestPrograms.classifier()
        #expect(
            try Self.refusal(model, weights: [])
                == "The file of the weights is missing; name the folder .mlpackage itself, or get a complete copy of it."
        )
        for length in 1..<TestPrograms.weights.count {
            #expect(try Self.refusal(model, weights: Array(TestPrograms.weights.prefix(length))) != nil, "\(length)")
        }
        // The version, the mark of the record, the kind, and the upper byte of the length.
        for place in [4, 64, 68, 79] {
            var weights = TestPrograms.weights
            weights[place] ^= 0x40
            #expect(try Self.refusal(model, weights: weights) != nil, "\(place)")
        }
    }

    @Test(arguments: [
        ("PK\u{3}\u{4}", "an archive; unpack it"),
        ("version https://git-lfs.github.com/spec/v1", "Git LFS; fetch the file"),
        ("{\"fileFormatVersion\"", "a text, such as the manifest of a package; name the file .mlmodel"),
    ])
    func `a file that is something else is named as such`(content: String, words: String) throws {
        #expect(RefusalTests.refusal(Array(content.utf8))?.contains(words) == true)
        let weights = try Self.refusal(TestPrograms.classifier(), weights: Array(content.utf8)) ?? ""
        #expect(weights.contains("git lfs pull") == content.hasPrefix("version"), "\(weights)")
    }

    @Test func `scores that come from a linear operation are known to have no bounds`() throws {
        func isUnbounded(_ change: (inout MILBlock) -> Void) throws -> Bool? {
            let bytes = try TestModels.bytes(TestPrograms.classifier(change))
            return try CoreMLFile(bytes, weights: TestPrograms.weights).converted().interface.outputs.first?.isUnbounded
        }
        #expect(try isUnbounded { _ in } == false)
        let scaled = TestPrograms.operation(
            "mul", ["x": TestPrograms.name("logits"), "y": TestPrograms.number(0.1)], "probabilities", [1, 2])
        #expect(try isUnbounded { $0.operations[4] = scaled } == true)
        let bounded = TestPrograms.operation("sigmoid", ["x": TestPrograms.name("logits")], "probabilities", [1, 2])
        #expect(try isUnbounded { $0.operations[4] = bounded } == false)
    }

    @Test func `a program of several functions is refused, and so is a state`() throws {
        var model = TestPrograms.classifier()
        model.mlProgram.functions["other"] = MILFunction()
        #expect(try Self.refusal(model)?.contains("several functions") == true)
        model = TestPrograms.classifier()
        // Field 5 of the type is a state.
        try model.mlProgram.functions["main"]?.inputs[0].type.merge(serializedBytes: [0x2A, 0x00] as [UInt8])
        #expect(try Self.refusal(model)?.contains("field 5 of ValueType") == true)
    }

    @Test(arguments: TestPrograms.operations.indices)
    func `a program of one operation is converted`(_ place: Int) throws {
        let model = TestPrograms.program(TestPrograms.operations[place])
        #expect(try Self.refusal(model) == nil, "\(TestPrograms.operations[place].type)")
    }

    @Test func `integers of a few bits are unpacked from the lowest bit on`() {
        let threes = PackedIntegers([0b10_001_000, 0b1_100_011_0][...], bitCount: 3)
        #expect((0..<5).map { threes.value($0) } == [0, 1, 2, 3, 4])
        let signed = PackedIntegers([0x8F][...], bitCount: 4)
        #expect((0..<2).map { signed.value($0, isSigned: true) } == [-1, -8])
    }
}
