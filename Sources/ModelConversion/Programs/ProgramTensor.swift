// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A tensor that is computed for each picture: its name in the ONNX graph, and its shape.
struct ProgramTensor: Sendable {
    let name: String
    let shape: TensorShape
    /// Whether the elements are true or false, which only a selection reads.
    var isOfFlags = false

    var lengths: [Int] { shape.lengths }
}
