// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A constant of an ML program.
struct ProgramConstant: Sendable {
    enum Elements: Sendable {
        case numbers([Float])
        case integers([Int])
        case flags([Bool])
        case texts([String])
    }

    let elements: Elements
    let shape: TensorShape

    var lengths: [Int] { shape.lengths }
}
