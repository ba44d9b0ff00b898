// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import HelperProtocol

/// The facts about an ONNX file that are checked before OpenVINO reads it.
///
/// OpenVINO also reads other formats, whose networks may keep a state between pictures, and weights from other files,
/// which no hash in a manifest covers.
///
/// Source: the field numbers of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
package struct ONNXContents: Equatable {
    /// The bytes of all numbers in the file's tensors.
    package private(set) var tensorByteCount = 0
    private var topLevelFields: [Int: Int] = [:]

    /// Reads the structure of a file, and skips everything that is no tensor.
    ///
    /// - Throws: `unusable` if the bytes are no ONNX file, or if a tensor is stored in another file.
    package init(of bytes: UnsafeRawBufferPointer) throws(ModelFailure) {
        try unsafe read(.model, bytes, depth: 0)
        // The version of the format, one graph, and the versions of its operators.
        guard topLevelFields[1] == 1, topLevelFields[7] == 1, topLevelFields[8] ?? 0 >= 1 else { throw Self.noModel }
    }

    private enum Message {
        case model, training, function, graph, node, attribute, sparseTensor, tensor

        /// Returns the kind of message in a field; nil for a field whose content cannot lead to a tensor.
        func child(_ field: Int) -> Message? {
            switch (self, field) {
            case (.model, 7), (.training, 1), (.training, 2), (.attribute, 6), (.attribute, 11): .graph
            case (.model, 20): .training
            case (.model, 25): .function
            case (.graph, 1), (.function, 7): .node
            case (.node, 5), (.function, 11): .attribute
            case (.graph, 15), (.attribute, 22), (.attribute, 23): .sparseTensor
            case (.graph, 5), (.attribute, 5), (.attribute, 10), (.sparseTensor, 1), (.sparseTensor, 2): .tensor
            default: nil
            }
        }
    }

    private mutating func read(
        _ message: Message, _ bytes: UnsafeRawBufferPointer, depth: Int
    ) throws(ModelFailure) {
        guard depth <= Self.mostLevels else { throw Self.noModel }
        var fields = unsafe ProtobufFields(bytes)
        while let (field, value) = try fields.next() {
            if message == .model { topLevelFields[field, default: 0] += 1 }
            let isElsewhere = message == .tensor && (field == Self.externalDataField || field == Self.dataLocation)
            switch value {
            case .number(let number):
                if message == .tensor, field == Self.dataLocation, number != 0 { throw Self.externalData }
                if message == .model, field == 1, number == 0 { throw Self.noModel }
                if message == .tensor { tensorByteCount += Self.largestNumber }
            case .fixed(let bytes):
                if message == .tensor { unsafe tensorByteCount += bytes.count }
            case .bytes(let bytes):
                if isElsewhere { throw Self.externalData }
                if let child = message.child(field) { try unsafe read(child, bytes, depth: depth + 1) }
                if message == .tensor { unsafe tensorByteCount += bytes.count }
            }
        }
    }

    private static let (externalDataField, dataLocation) = (13, 14)
    /// The bytes of a number in a tensor that is not packed.
    private static let largestNumber = 8
    private static let mostLevels = 64

    static let noModel = ModelFailure(
        .unusable, "The file of the model is no ONNX file. Export the model as ONNX.")
    private static let externalData = ModelFailure(
        .unusable,
        "The ONNX file keeps weights in other files, which its hash does not cover. Export it with all weights in one"
            + " file.")
}
