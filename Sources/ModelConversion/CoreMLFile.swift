// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats
internal import SwiftProtobuf

/// A Core ML model file whose bytes have been parsed.
package struct CoreMLFile {
    let model: CoreMLModel
    let weights: WeightFile

    /// Parses a file of the format `.mlmodel`.
    ///
    /// - Parameter weights: the file with the large constants of an ML program; empty if there is none.
    /// - Throws: `ConversionFailure` if the bytes are no such file.
    package init(_ bytes: [UInt8], weights: [UInt8] = []) throws(ConversionFailure) {
        self.weights = WeightFile(weights)
        do {
            var options = BinaryDecodingOptions()
            options.messageDepthLimit = 32
            model = try CoreMLModel(serializedBytes: bytes, options: options)
        } catch {
            throw Self.refusal(of: bytes)
        }
        guard model.specificationVersion >= 1, model.hasDescription_p else { throw Self.refusal(of: bytes) }
        guard model.specificationVersion <= Self.newestVersion else {
            throw ConversionFailure(
                "The file has version \(model.specificationVersion) of the format, and the newest known one is"
                    + " \(Self.newestVersion)", .exportAgain)
        }
    }

    /// The newest version of the format, which coremltools 9.0 writes for iOS 26.
    private static let newestVersion: Int32 = 10

    /// Returns the refusal of bytes that are no model.
    private static func refusal(of bytes: [UInt8]) -> ConversionFailure {
        if bytes.starts(with: Array("PK".utf8)) || bytes.starts(with: [0x1F, 0x8B]) {
            return ConversionFailure("The file is an archive", .unpack)
        }
        if bytes.starts(with: WeightFile.startOfPointer) {
            return ConversionFailure("The file is a pointer of Git LFS", .fetchFile)
        }
        if bytes.first == UInt8(ascii: "{") {
            return ConversionFailure("The file is a text, such as the manifest of a package", .namePackage)
        }
        return ConversionFailure("The file is no complete Core ML model", .exportAgain)
    }

    /// Converts the model to ONNX.
    ///
    /// - Throws: `ConversionFailure` with the first part that is not supported.
    package func converted() throws(ConversionFailure) -> ConvertedModel {
        if let failure = UnknownFields.failures(in: model).first { throw failure }
        var converter = ModelConverter(weights)
        try converter.convert(model)
        return try converter.finish(model)
    }
}
