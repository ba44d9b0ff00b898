// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFormats
import SwiftProtobuf

/// Small ML programs, made for tests.
enum TestPrograms {
    /// The file name of weights in a program.
    static let weightsName = "@model_path/weights/weight.bin"

    /// A classifier of 8 × 8 pictures with the labels NSFW and SFW, whose first score grows with the red of a picture.
    ///
    /// Its logits are those of ``TestModels/classifier(extraLayers:_:)``.
    static func classifier(_ change: (inout MILBlock) -> Void = { _ in }) -> CoreMLModel {
        var block = MILBlock()
        block.outputs = ["label", "scores"]
        block.operations = [
            operation("mul", ["x": name("picture"), "y": number(1 / 255)], "scaled", [1, 3, 8, 8]),
            operation(
                "reduce_mean", ["x": name("scaled"), "axes": integers([2, 3]), "keep_dims": flag(false)], "means",
                [1, 3]),
            constant("weights", .float16, [2, 3], offset: 64),
            operation("linear", ["x": name("means"), "weight": name("weights")], "logits", [1, 2]),
            operation("softmax", ["x": name("logits"), "axis": integer(-1)], "probabilities", [1, 2]),
            .with {
                $0.type = "classify"
                $0.inputs = ["probabilities": name("probabilities"), "classes": texts(["NSFW", "SFW"])]
                $0.outputs = [
                    .with { $0.name = "label" },
                    .with { $0.name = "scores" },
                ]
            },
        ]
        change(&block)
        return .with {
            $0.specificationVersion = 6
            $0.description_p = TestModels.description()
            $0.mlProgram.version = 1
            $0.mlProgram.functions["main"] = .with {
                $0.inputs = [value("picture", [1, 3, 8, 8])]
                $0.opset = "CoreML5"
                $0.blockSpecializations["CoreML5"] = block
            }
        }
    }

    /// The file with the weights of the classifier: one constant of six numbers of 16 bits.
    static let weights: [UInt8] = {
        let numbers: [Float16] = [4, -2, -2, -4, 2, 2]
        let bytes = numbers.flatMap { number in (0..<2).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }
        }
        return weightFile(bytes, kind: 1)
    }()

    /// Returns a file with one constant, whose record is at 64.
    static func weightFile(_ bytes: [UInt8], kind: UInt32) -> [UInt8] {
        func number(_ value: UInt64, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let header = number(1, 4) + number(2, 4) + Array(repeating: 0, count: 56)
        let record =
            number(0xDEAD_BEEF, 4) + number(UInt64(kind), 4) + number(UInt64(bytes.count), 8) + number(128, 8)
            + Array(repeating: 0, count: 40)
        return header + record + bytes
    }

    static func operation(
        _ type: String, _ inputs: [String: MILArgument], _ output: String, _ lengths: [Int]
    ) -> MILOperation {
        .with {
            $0.type = type
            $0.inputs = inputs
            $0.outputs = [value(output, lengths)]
        }
    }

    /// A constant whose numbers are in the file of the weights.
    static func constant(_ name: String, _ type: MILDataType, _ lengths: [Int], offset: UInt64) -> MILOperation {
        .with {
            $0.type = "const"
            $0.outputs = [value(name, lengths, type)]
            $0.attributes["val"] = .with {
                $0.type = valueType(lengths, type)
                $0.blobFileValue.fileName = weightsName
                $0.blobFileValue.offset = offset
            }
        }
    }

    static func value(_ name: String, _ lengths: [Int], _ type: MILDataType = .float32) -> MILNamedValueType {
        .with {
            $0.name = name
            $0.type = valueType(lengths, type)
        }
    }

    static func valueType(_ lengths: [Int], _ type: MILDataType) -> MILValueType {
        .with {
            $0.tensorType.dataType = type
            $0.tensorType.rank = Int64(lengths.count)
            $0.tensorType.dimensions = lengths.map { length in .with { $0.constant.size = UInt64(length) } }
        }
    }

    static func name(_ name: String) -> MILArgument {
        .with { $0.arguments = [.with { $0.name = name }] }
    }

    static func number(_ number: Float) -> MILArgument { argument([], .float32) { $0.floats.values = [number] } }

    static func integer(_ integer: Int32) -> MILArgument { argument([], .int32) { $0.ints.values = [integer] } }

    static func integers(_ integers: [Int32]) -> MILArgument {
        argument([integers.count], .int32) { $0.ints.values = integers }
    }

    static func flag(_ flag: Bool) -> MILArgument { argument([], .bool) { $0.bools.values = [flag] } }

    static func text(_ text: String) -> MILArgument { argument([], .string) { $0.strings.values = [text] } }

    static func texts(_ texts: [String]) -> MILArgument {
        argument([texts.count], .string) { $0.strings.values = texts }
    }

    private static func argument(
        _ lengths: [Int], _ type: MILDataType, _ change: (inout MILTensorValue) -> Void
    ) -> MILArgument {
        var tensor = MILTensorValue()
        change(&tensor)
        let value = MILValue.with {
            $0.type = valueType(lengths, type)
            $0.immediateValue.tensor = tensor
        }
        return .with { $0.arguments = [.with { $0.value = value }] }
    }
}

extension TestPrograms {
    /// Returns a program from an array of 1 × 4 × 6 × 6 to an array, of one operation.
    static func program(_ operation: MILOperation) -> CoreMLModel {
        .with {
            $0.specificationVersion = 6
            $0.description_p.input = [
                .with {
                    $0.name = "x"
                    $0.type.multiArrayType.shape = [1, 4, 6, 6]
                }
            ]
            $0.description_p.output = [.with { $0.name = "y" }]
            $0.description_p.output[0].type.multiArrayType = CoreMLArrayFeatureType()
            $0.mlProgram.functions["main"] = .with {
                $0.inputs = [value("x", [1, 4, 6, 6])]
                $0.opset = "CoreML5"
                $0.blockSpecializations["CoreML5"] = .with {
                    $0.outputs = ["y"]
                    $0.operations = [operation]
                }
            }
        }
    }

    /// Operations on an array of 1 × 4 × 6 × 6, one of most kinds.
    static let operations: [MILOperation] = [
        operation(
            "conv",
            [
                "x": name("x"), "weight": numbers([2, 2, 3, 2]), "groups": integer(2), "strides": integers([1, 2]),
                "pad_type": text("custom"), "pad": integers([1, 1, 0, 1]), "dilations": integers([1, 1]),
                "bias": numbers([2]),
            ], "y", [1, 2, 6, 3]),
        operation(
            "max_pool",
            [
                "x": name("x"), "kernel_sizes": integers([3, 3]), "strides": integers([2, 2]), "ceil_mode": flag(true),
                "pad_type": text("valid"),
            ], "y", [1, 4, 3, 3]),
        operation(
            "avg_pool",
            [
                "x": name("x"), "kernel_sizes": integers([3, 3]), "pad_type": text("same"),
                "strides": integers([2, 2]),
            ], "y",
            [1, 4, 3, 3]),
        operation(
            "layer_norm",
            ["x": name("x"), "axes": integers([1, -1]), "gamma": numbers([4, 6]), "epsilon": number(1e-5)], "y",
            [1, 4, 6, 6]),
        operation(
            "batch_norm", ["x": name("x"), "mean": numbers([4]), "variance": numbers([4]), "gamma": numbers([4])], "y",
            [1, 4, 6, 6]),
        operation("matmul", ["x": name("x"), "y": name("x"), "transpose_y": flag(true)], "y", [1, 4, 6, 6]),
        operation("gelu", ["x": name("x"), "mode": text("TANH_APPROXIMATION")], "y", [1, 4, 6, 6]),
        operation("thresholded_relu", ["x": name("x"), "alpha": number(0.5)], "y", [1, 4, 6, 6]),
        operation("reshape", ["x": name("x"), "shape": integers([0, -1, 2, 6])], "y", [1, 12, 2, 6]),
        operation("transpose", ["x": name("x"), "perm": integers([0, 2, 3, 1])], "y", [1, 6, 6, 4]),
        operation(
            "slice_by_index",
            [
                "x": name("x"), "begin": integers([0, 1, -4, 0]), "end": integers([0, 3, 6, 0]),
                "end_mask": flags([false, false, false, true]), "squeeze_mask": flags([true, false, false, false]),
                "stride": integers([1, 1, 1, 2]),
            ], "y", [2, 4, 3]),
        operation(
            "slice_by_size", ["x": name("x"), "begin": integers([0, 1, 0, 0]), "size": integers([1, 2, -1, 3])], "y",
            [1, 2, 6, 3]),
        operation(
            "pad", ["x": name("x"), "pad": integers([1, 0, 2, 1]), "mode": text("reflect")], "y", [1, 4, 7, 9]),
        operation("reduce_l2_norm", ["x": name("x"), "axes": integers([1])], "y", [1, 6, 6]),
        operation("tile", ["x": name("x"), "reps": integers([1, 2, 1, 1])], "y", [1, 8, 6, 6]),
        operation("gather", ["x": name("x"), "indices": integers([3, -4]), "axis": integer(1)], "y", [1, 2, 6, 6]),
        operation(
            "upsample_bilinear",
            ["x": name("x"), "scale_factor_height": number(1.5), "scale_factor_width": integer(2)], "y", [1, 4, 9, 12]),
        operation("expand_dims", ["x": name("x"), "axes": integers([1, -1])], "y", [1, 1, 4, 6, 6, 1]),
        operation("pixel_shuffle", ["x": name("x"), "upscale_factor": integer(2)], "y", [1, 1, 12, 12]),
        .with {
            $0.type = "concat"
            $0.inputs = ["axis": integer(1), "interleave": flag(true)]
            $0.inputs["values"] = .with { $0.arguments = [.with { $0.name = "x" }, .with { $0.name = "x" }] }
            $0.outputs = [value("y", [1, 8, 6, 6])]
        },
        .with {
            $0.type = "split"
            $0.inputs = ["x": name("x"), "axis": integer(1), "split_sizes": integers([1, 3])]
            $0.outputs = [value("y", [1, 1, 6, 6]), value("z", [1, 3, 6, 6])]
        },
    ]

    static func numbers(_ lengths: [Int]) -> MILArgument {
        argument(lengths, .float32) { $0.floats.values = Array(repeating: 0.5, count: lengths.reduce(1, *)) }
    }

    private static func flags(_ flags: [Bool]) -> MILArgument {
        argument([flags.count], .bool) { $0.bools.values = flags }
    }
}
