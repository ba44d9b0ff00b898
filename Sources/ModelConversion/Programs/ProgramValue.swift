// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A value of an ML program.
enum ProgramValue: Sendable {
    /// A value that is the same for all pictures.
    case constant(ProgramConstant)
    /// A value that is computed for each picture.
    case tensor(ProgramTensor)
    /// The label with the highest score, or the scores by their labels; the converted model has only the scores.
    case classification
}
