// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import ModelFormats
internal import SwiftProtobuf

/// A search for the first field that the trimmed format does not list.
///
/// A field that is skipped could change what the model computes.
struct UnknownFields: Visitor {
    private var path: [String] = []
    private var found: [ConversionFailure] = []
    private var kinds: [ConversionFailure] = []
    /// The layers of each kind that is not supported, in the order of the kinds' first layers.
    private var layers: [(kind: String, first: String, count: Int)] = []

    /// Returns the refusals of the fields that are not known, at most as many as a person reads.
    static func failures(in message: some Message) -> [ConversionFailure] {
        var search = UnknownFields()
        try? search.visit(message)
        // A kind of model says all: its other fields are known to this kind only.
        return search.kinds.isEmpty ? search.layers.map(failure) + search.found : search.kinds
    }

    private static func failure(_ layers: (kind: String, first: String, count: Int)) -> ConversionFailure {
        ConversionFailure(
            layers.count == 1
                ? "The layer \(layers.first) is of the kind \(layers.kind), which is not supported"
                : "\(layers.count) layers, such as \(layers.first), are of the kind \(layers.kind), which is not supported",
            .useProgram)
    }

    private mutating func visit(_ message: some Message) throws {
        guard found.count < Self.mostFailures else { return }
        let name = type(of: message).protoMessageName.split(separator: ".").last.map(String.init) ?? "message"
        if let layer = message as? CoreMLNeuralNetworkLayer {
            path.append("the layer \(ConversionFailure.quoted(layer.name))")
        } else {
            path.append(name)
        }
        try message.traverse(visitor: &self)
        path.removeLast()
    }

    mutating func visitUnknown(bytes: Data) throws {
        guard let number = Self.firstNumber(bytes, where: { !Self.isForTraining($0, of: path.last) }) else { return }
        let place = path.last(where: { $0.hasPrefix("the layer") }) ?? path.last ?? "the file"
        let isInLayer = path.last?.hasPrefix("the layer") == true
        let isInModel = path.last == "Model"
        let failure: ConversionFailure
        if isInLayer, let kind = UnsupportedKinds.layers[number] {
            let name = place.replacing("the layer ", with: "", maxReplacements: 1)
            if let index = layers.firstIndex(where: { $0.kind == kind }) {
                layers[index].count += 1
            } else {
                layers.append((kind, name, 1))
            }
            return
        } else if isInModel, let kind = UnsupportedKinds.models[number] {
            if !kinds.contains(kind) { kinds.append(kind) }
            return
        } else {
            let message = isInLayer ? "NeuralNetworkLayer" : path.last ?? "Model"
            failure = ConversionFailure(
                "The field \(number) of \(message)\(place == message ? "" : " in \(place)") is not known, so the model might compute something else",
                .useONNX)
        }
        if !found.contains(failure) { found.append(failure) }
    }

    /// Whether a field is read by training on a device only, which nobody does here.
    private static func isForTraining(_ number: Int, of message: String?) -> Bool {
        switch message {
        // The inputs of the training, and its loss, optimizer and epochs.
        case "ModelDescription": number == 50
        case "NeuralNetwork", "NeuralNetworkClassifier": number == 10
        default: false
        }
    }

    /// Returns the number of the first field in some bytes of the format that a condition is true of.
    ///
    /// Source: https://protobuf.dev/programming-guides/encoding/
    static func firstNumber(_ bytes: Data, where isWanted: (Int) -> Bool = { _ in true }) -> Int? {
        var rest = bytes[...]
        func number() -> UInt64? {
            var (value, shift) = (UInt64(0), UInt64(0))
            while let byte = rest.popFirst(), shift < 64 {
                value |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte & 0x80 == 0 { return value }
            }
            return nil
        }
        while let key = number() {
            if isWanted(Int(key >> 3)) { return Int(key >> 3) }
            switch key & 7 {
            case 0: _ = number()
            case 1: rest = rest.dropFirst(8)
            case 2:
                let length = Int(clamping: number() ?? 0)
                rest = rest.dropFirst(length)
            case 5: rest = rest.dropFirst(4)
            // The parser has read the bytes, so only groups are left, whose ends are fields of their own.
            default: break
            }
        }
        return nil
    }

    mutating func visitSingularMessageField<M: Message>(value: M, fieldNumber: Int) throws { try visit(value) }

    mutating func visitMapField<KeyType, ValueType: MapValueType>(
        fieldType: _ProtobufMap<KeyType, ValueType>.Type,
        value: _ProtobufMap<KeyType, ValueType>.BaseType, fieldNumber: Int
    ) throws {}
    mutating func visitMapField<KeyType, ValueType>(
        fieldType: _ProtobufEnumMap<KeyType, ValueType>.Type,
        value: _ProtobufEnumMap<KeyType, ValueType>.BaseType, fieldNumber: Int
    ) throws where ValueType.RawValue == Int {}
    mutating func visitMapField<KeyType, ValueType>(
        fieldType: _ProtobufMessageMap<KeyType, ValueType>.Type,
        value: _ProtobufMessageMap<KeyType, ValueType>.BaseType, fieldNumber: Int
    ) throws {
        for message in value.values { try visit(message) }
    }

    private static let mostFailures = 20

    // Numbers and texts have no fields.
    mutating func visitSingularDoubleField(value: Double, fieldNumber: Int) throws {}
    mutating func visitSingularInt64Field(value: Int64, fieldNumber: Int) throws {}
    mutating func visitSingularUInt64Field(value: UInt64, fieldNumber: Int) throws {}
    mutating func visitSingularBoolField(value: Bool, fieldNumber: Int) throws {}
    mutating func visitSingularStringField(value: String, fieldNumber: Int) throws {}
    mutating func visitSingularBytesField(value: Data, fieldNumber: Int) throws {}
    mutating func visitSingularEnumField<E: Enum>(value: E, fieldNumber: Int) throws {}
    mutating func visitSingularGroupField<G: Message>(value: G, fieldNumber: Int) throws { try visit(value) }
    mutating func visitRepeatedFloatField(value: [Float], fieldNumber: Int) throws {}
    mutating func visitPackedFloatField(value: [Float], fieldNumber: Int) throws {}
    mutating func visitPackedInt64Field(value: [Int64], fieldNumber: Int) throws {}
    mutating func visitPackedUInt64Field(value: [UInt64], fieldNumber: Int) throws {}
}
