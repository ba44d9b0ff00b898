// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hashing
import ModelFormats
import SwiftProtobuf
import TestSupport
import Testing

/// Networks whose description is short, and which need much memory when they are compiled.
struct LargeNetworkTests {
    @Test(
        "A network of a few hundred bytes that needs 3 GiB to be compiled is refused",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount },
        arguments: [(numberCount: 1 << 20, isAccepted: true), (800_000_000, false)])
    func largeConstant(numberCount: Int, isAccepted: Bool) async throws {
        try await TestFiles.withFolder { folder in
            var program = Program.sca
            program.environment["HOME"] = folder.path
            let model = folder.appendingPathComponent("large")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: false)
            let network: [UInt8] = try ONNXModelProto(textFormatString: Self.network(numberCount)).serializedBytes()
            try Data(network).write(to: model.appendingPathComponent("model.onnx"))
            var hash = try SHA256()
            unsafe network.withUnsafeBytes { unsafe hash.update($0) }
            let manifest = Self.manifest(network.count, try hash.digest().hexadecimal)
            try Data(manifest.utf8).write(to: model.appendingPathComponent("manifest.json"))
            let outcome = try await program.run(["model", "add", model.path])
            #expect((outcome.exitCode == 0) == isAccepted, "\(outcome.exitCode): \(outcome.errors)")
            #expect(isAccepted || outcome.errors.contains("could not compile the model"), "\(outcome.errors)")
        }
    }

    /// Returns a network that multiplies the mean of a picture with the mean of a large constant.
    private static func network(_ numberCount: Int) -> String {
        let dimensions = [1, 3, 8, 8].map { "dim { dim_value: \($0) }" }.joined()
        // 8 bytes in the order of a little-endian processor, as octal escapes.
        let length = (0..<8).map { "\\" + String(UInt8(truncatingIfNeeded: numberCount >> ($0 * 8)), radix: 8) }
            .joined()
        return """
            ir_version: 8
            opset_import { version: 13 }
            graph {
              name: "large"
              node { op_type: "Flatten" input: "picture" output: "numbers" }
              node {
                op_type: "ReduceMean" input: "numbers" output: "mean"
                attribute { name: "axes" type: INTS ints: 1 } attribute { name: "keepdims" type: INT i: 1 }
              }
              node { op_type: "ConstantOfShape" input: "length" output: "zeros" }
              node {
                op_type: "ReduceMean" input: "zeros" output: "zero"
                attribute { name: "axes" type: INTS ints: 0 } attribute { name: "keepdims" type: INT i: 1 }
              }
              node { op_type: "Mul" input: "mean" input: "zero" output: "product" }
              node { op_type: "Sigmoid" input: "product" output: "score" }
              initializer { name: "length" dims: 1 data_type: 7 raw_data: "\(length)" }
              input { name: "picture" type { tensor_type { elem_type: 1 shape { \(dimensions) } } } }
              output {
                name: "score"
                type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 1 } } } }
              }
            }
            """
    }

    private static func manifest(_ byteCount: Int, _ digest: String) -> String {
        """
        {
          "schema": 1, "name": "large", "version": "1", "description": "A test.", "file": "model.onnx",
          "sha256": "\(digest)", "byteCount": \(byteCount),
          "input": {
            "name": "picture", "width": 8, "height": 8, "layout": "NCHW", "channelOrder": "RGB",
            "mean": [0, 0, 0], "scale": [0.01, 0.01, 0.01],
            "resize": {"mode": "stretch", "width": 8, "height": 8, "filter": "bilinear", "crop": "center"}
          },
          "outputs": [{
            "name": "score", "column": 0, "contentType": "sexuallyExplicit",
            "thresholds": {"simple": 0.8, "descriptive": 0.5, "strong": 0.95}
          }],
          "licence": "Apache-2.0", "source": "the tests", "knownFailures": []
        }
        """
    }
}
