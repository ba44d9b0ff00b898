// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The reason for which a model file is not converted, as one sentence with its remedy.
package struct ConversionFailure: Error, Equatable, CustomStringConvertible {
    package let message: String
    package var description: String { message }

    init(_ reason: String, _ remedy: Remedy) {
        message = "\(reason); \(remedy.rawValue)."
    }

    enum Remedy: String {
        case exportAgain = "export the model again with coremltools, or get a complete copy of the file"
        case completePackage = "name the folder .mlpackage itself, or get a complete copy of it"
        case exportWithOneInput = "export the model with one input, which is a picture"
        case useOtherNetwork = "use a network without it, since the library that runs models computes it wrongly"
        case unpack = "unpack it, and name the file .mlmodel or the folder .mlpackage in it"
        case fetchFile = "fetch the file itself with `git lfs pull`"
        case namePackage = "name the file .mlmodel, or the folder .mlpackage itself"
        case useProgram =
            "convert the original with coremltools' convert_to=\"mlprogram\", or to ONNX for `sca model add`"
        case exportWithFixedSizes = "export the model again with coremltools and with fixed sizes of its inputs"
        case useONNX = "convert the model's original to ONNX, and add it with `sca model add`"
        case useSmaller = "use a smaller model"
        case useNetwork = "use a neural network"
        case trainNetwork = "train a network that holds all of its layers, and add it as ONNX with `sca model add`"
    }

    /// Returns a name from the file in a form that a terminal can show, in quotes.
    static func quoted(_ name: String) -> String {
        let shown = String(
            String.UnicodeScalarView(
                name.unicodeScalars.lazy.filter { $0.isASCII && $0.value >= 0x20 && $0.value < 0x7F }.prefix(64)))
        return "'\(shown)'"
    }
}
