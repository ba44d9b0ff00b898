// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HelperProtocol
import ModelInference
import ModelStore
import TestSupport
import Testing

@Suite("The contents of model files")
struct ONNXContentsTests {
    /// Returns a field with bytes of its own.
    private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        precondition(content.count < 128 && number < 32)
        let key = Int(number) << 3 | 2
        return (key < 128 ? [UInt8(key)] : [UInt8(key & 127 | 128), UInt8(key >> 7)]) + [UInt8(content.count)] + content
    }

    /// Returns a model with a graph of this content.
    private static func model(_ graph: [UInt8]) -> [UInt8] { [0x08, 8] + field(7, graph) + field(8, [0x10, 13]) }

    private static func read(_ bytes: [UInt8]) throws(ModelFailure) -> ONNXContents {
        let result = unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(ModelFailure) in try unsafe ONNXContents(of: bytes) }
        }
        return try result.get()
    }

    private static func message(_ bytes: [UInt8]) -> String? {
        do throws(ModelFailure) {
            _ = try read(bytes)
            return nil
        } catch {
            return error.detail
        }
    }

    /// A tensor of two numbers in 8 bytes.
    private static let tensor: [UInt8] = [0x08, 2, 0x10, 1] + field(9, [0, 0, 128, 63, 0, 0, 0, 64])
    private static let external = field(13, field(1, Array("location".utf8)) + field(2, Array("/etc/x".utf8)))

    @Test("The bytes of tensors are counted, also in nodes and in graphs of nodes")
    func tensors() throws {
        let inNode = Self.field(1, Self.field(5, Self.field(5, Self.tensor)))
        let inGraph = Self.field(1, Self.field(5, Self.field(6, Self.field(5, Self.tensor))))
        let one = try Self.read(Self.model(Self.field(5, Self.tensor))).tensorByteCount
        #expect(one >= 8 && one < 40)
        #expect(try Self.read(Self.model(inNode)).tensorByteCount == one)
        #expect(try Self.read(Self.model(inGraph + Self.field(5, Self.tensor))).tensorByteCount == 2 * one)
        // A long text is no tensor.
        #expect(try Self.read(Self.model(Self.field(10, Array(repeating: 65, count: 100)))).tensorByteCount == 0)
    }

    @Test("The default model is an ONNX file", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
    func defaultModel() throws {
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: LoadedModel.installedModel().modelPath)))
        let count = try Self.read(bytes).tensorByteCount
        #expect(count > bytes.count * 9 / 10 && count <= bytes.count + bytes.count / 10)
    }

    @Test("A tensor in another file is refused, wherever it is", arguments: [true, false])
    func externalData(hasLocation: Bool) {
        let tensor = Self.tensor + (hasLocation ? [0x70, 1] : Self.external)
        let places = [
            Self.field(5, tensor), Self.field(15, Self.field(1, tensor)),
            Self.field(1, Self.field(5, Self.field(5, tensor))),
            Self.field(1, Self.field(5, Self.field(10, tensor))),
            Self.field(1, Self.field(5, Self.field(6, Self.field(5, tensor)))),
            Self.field(1, Self.field(5, Self.field(22, Self.field(2, tensor)))),
        ]
        for place in places {
            #expect(Self.message(Self.model(place))?.contains("other files") == true)
        }
        let inFunction = Self.model([]) + Self.field(25, Self.field(7, Array(places[2].dropFirst(2))))
        #expect(Self.message(inFunction)?.contains("other files") == true)
        #expect(Self.message(Self.model(Self.field(5, Self.tensor + [0x70, 0]))) == nil)
    }

    private static let others: [[UInt8]] = [
        [], Array("<?xml version=\"1.0\"?><net name=\"x\" version=\"11\">".utf8), Array("TFL3".utf8), [0x08],
        [0x08, 8], [0x08, 0] + Array(model([]).dropFirst(2)), model([]) + model([]), Array(model([]).dropLast()),
        model([]) + [0x0B], model([]) + [0x00], model([]) + [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
        model(field(5, [0x4A, 100])), Array(repeating: 0xFF, count: 64),
    ]

    @Test("Other formats and damaged files are refused", arguments: others)
    func noModel(bytes: [UInt8]) {
        #expect(Self.message(bytes) == "The file of the model is no ONNX file. Export the model as ONNX.")
    }

    @Test("Graphs in graphs are followed to a limit") func depth() {
        var graph: [UInt8] = []
        for _ in 0..<12 { graph = Self.field(1, Self.field(5, Self.field(6, graph))) }
        #expect(Self.message(Self.model(graph)) == nil)
        var deep: [UInt8] = []
        func wrapped(_ key: UInt8, _ content: [UInt8]) -> [UInt8] {
            let count = content.count
            return [key, UInt8(count & 127 | 128), UInt8(count >> 7 & 127 | 128), UInt8(count >> 14)] + content
        }
        for _ in 0..<40 { deep = wrapped(0x0A, wrapped(0x2A, wrapped(0x32, deep))) }
        #expect(Self.message([0x08, 8] + wrapped(0x3A, deep) + Self.field(8, [0x10, 13])) != nil)
    }
}
