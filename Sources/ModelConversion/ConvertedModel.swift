// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// An ONNX model that computes the same as a Core ML model.
package struct ConvertedModel: Sendable {
    /// The ONNX file.
    package let bytes: [UInt8]
    package let interface: ConvertedInterface

    static let inputName = "image"
}
