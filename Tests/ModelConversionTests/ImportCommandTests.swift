// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFormats
import SwiftProtobuf
import TestSupport
import Testing

/// The commands for Core ML files, with the real processes.
struct ImportCommandTests {
    /// Runs the body with a command that has a home folder, and the path of a model in it.
    private static func withModel(
        _ bytes: [UInt8], _ body: (Program, _ model: String, _ folder: URL) async throws -> Void
    ) async throws {
        try await TestFiles.withFolder { folder in
            var program = Program.sca
            program.environment["HOME"] = folder.path
            let model = folder.appendingPathComponent("Red Pictures.mlmodel")
            try Data(bytes).write(to: model)
            try await body(program, model.path, folder)
        }
    }

    @Test("sca model inspect shows the contents of a file, and that it can be imported") func inspect() async throws {
        try await Self.withModel(try TestModels.bytes(TestModels.classifier())) { program, model, _ in
            let outcome = try await program.run(["model", "inspect", model])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            for text in [
                "neural network classifier", "picture, RGB image of 8 × 8", "NSFW, SFW", "The tests", "Apache-2.0",
                "1 innerProduct, 1 pooling, 1 softmax", "can be imported",
            ] {
                #expect(outcome.text.contains(text), "\(text) is not in \(outcome.text)")
            }
        }
    }

    @Test("sca model inspect names the parts that are not supported, and ends with 1") func unsupported() async throws {
        var layer = TestModels.layer("odd", ["probabilities"], ["more"]) { _ in }
        try layer.merge(serializedBytes: [0x92, 0x3A, 0x00] as [UInt8])
        let bytes = try TestModels.bytes(TestModels.classifier(extraLayers: [layer]))
        try await Self.withModel(bytes) { program, model, _ in
            let outcome = try await program.run(["model", "inspect", model])
            #expect(outcome.exitCode == 1 && outcome.text.contains("- The layer 'odd' is of the kind gather"))
            let imported = try await program.run(["model", "import", "--sensitive", "NSFW", model])
            #expect(imported.exitCode != 0 && imported.errors.contains("of the kind gather"))
        }
    }

    @Test(
        "An imported model scores a picture by its own formula",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func score() async throws {
        try await Self.withModel(try TestModels.bytes(TestModels.classifier())) { program, model, folder in
            let asDefault = try await program.run(
                ["model", "import", "--sensitive", "NSFW", "--name", "open-nsfw", model])
            #expect(asDefault.exitCode == 64 && asDefault.errors.contains("belongs to the default model"))
            for (option, message) in [
                ("nsfw", "The model has no label nsfw. Its labels are: NSFW, SFW."),
                ("NSFW=nudity", "nudity is no type"),
            ] {
                let wrong = try await program.run(["model", "import", "--sensitive", option, model])
                #expect(wrong.exitCode == 64 && wrong.errors.contains(message), "\(wrong.errors)")
            }
            let unnamed = try await program.run(["model", "import", model])
            #expect(unnamed.exitCode != 0 && unnamed.errors.contains("NSFW, SFW"))
            let imported = try await program.run(["model", "import", "--sensitive", "NSFW", model])
            try #require(imported.exitCode == 0, "\(imported.errors)")
            #expect(imported.text.contains("red-pictures was added"))
            let again = try await program.run(["model", "import", "--sensitive", "NSFW", model])
            #expect(again.exitCode != 0 && again.errors.contains("installed already"))
            // The first logit is 4 × red − 2 × (green + blue), the second its opposite.
            let cases: [(color: [UInt8], logit: Double)] = [
                ([255, 0, 0], 4), ([0, 255, 0], -2), ([128, 51, 0], 4 * 128 / 255 - 0.4),
            ]
            for (color, logit) in cases {
                let picture = folder.appendingPathComponent("picture.bmp")
                try Self.bitmap(of: color).write(to: picture)
                let outcome = try await program.run(
                    ["analyze", "--format", "jsonl", "--labels", "--model", "red-pictures", picture.path])
                let line = try #require(
                    try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], "\(outcome.errors)")
                let score = try #require(line["score"] as? Double)
                #expect(abs(score - 1 / (1 + exp(-2 * logit))) < 1e-4, "\(color): \(score)")
                #expect(line["model"] as? String == "red-pictures")
                let labels = try #require(line["labels"] as? [[String: Any]])
                #expect(labels.map { $0["label"] as? String } == (logit > 0 ? ["NSFW", "SFW"] : ["SFW", "NSFW"]))
                let values = labels.compactMap { $0["score"] as? Double }
                #expect(values.count == 2 && values.max() == max(score, 1 - score), "\(values)")
            }
        }
    }

    @Test(
        "All labels of a large classifier are shown in descending order",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func manyLabels() async throws {
        // More labels than two messages of the model's process hold, in an order that is not that of their scores.
        let ranks = (0..<2503).map { $0 * 1000 % 2503 }
        let large = TestModels.classifier { network in
            network.stringClassLabels.vector = ranks.indices.map { "label \($0)" }
            network.layers[1].innerProduct.outputChannels = UInt64(ranks.count)
            network.layers[1].innerProduct.weights.floatValue = Array(repeating: 0, count: ranks.count * 3)
            network.layers[1].innerProduct.bias.floatValue = ranks.map { Float($0) / 500 }
        }
        try await Self.withModel(try TestModels.bytes(large)) { program, model, folder in
            let imported = try await program.run(["model", "import", "--sensitive", "label 1", model])
            try #require(imported.exitCode == 0, "\(imported.errors)")
            let picture = folder.appendingPathComponent("picture.bmp")
            try Self.bitmap(of: [1, 2, 3]).write(to: picture)
            let outcome = try await program.run(
                ["analyze", "--format", "jsonl", "--labels", "--model", "red-pictures", picture.path])
            let line = try #require(
                try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], "\(outcome.errors)")
            let labels = try #require(line["labels"] as? [[String: Any]])
            let expected = ranks.indices.sorted { ranks[$0] > ranks[$1] }.map { "label \($0)" }
            #expect(labels.compactMap { $0["label"] as? String } == expected)
            let table = try await program.run(["analyze", "--labels", "--model", "red-pictures", picture.path])
            #expect(table.text.contains(" \(expected[0]): 0.002, ") && table.text.contains(", and 2498 more"))
        }
    }

    @Test(
        "A model with several outputs is imported with a column of each",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func severalOutputs() async throws {
        var model = TestModels.classifier()
        let network = model.neuralNetworkClassifier
        model.neuralNetwork = .with {
            $0.layers = network.layers
            $0.preprocessing = network.preprocessing
        }
        model.description_p.predictedFeatureName = ""
        model.description_p.predictedProbabilitiesName = ""
        model.description_p.output = ["means", "probabilities"].map { name in
            .with {
                $0.name = name
                $0.type.multiArrayType.dataType = .float32
            }
        }
        try await Self.withModel(try TestModels.bytes(model)) { program, model, folder in
            for wrong in ["0", "means:3", "other:0", "probabilities:-1"] {
                let outcome = try await program.run(["model", "import", "--sensitive", wrong, model])
                #expect(
                    outcome.exitCode == 64
                        && outcome.errors.contains(
                            "use OUTPUT:COLUMN. Its outputs are: means (columns 0 to 2), probabilities (columns 0 to 1)."
                        ),
                    "\(outcome.errors)")
            }
            let imported = try await program.run(
                ["model", "import", "--sensitive", "means:1=goreOrViolence", "--sensitive", "probabilities:0", model])
            try #require(imported.exitCode == 0, "\(imported.errors)")
            let cases: [(color: [UInt8], types: [String])] = [
                ([0, 255, 0], ["goreOrViolence"]), ([255, 0, 0], ["sexuallyExplicit"]),
            ]
            for (color, types) in cases {
                let picture = folder.appendingPathComponent("picture.bmp")
                try Self.bitmap(of: color).write(to: picture)
                let outcome = try await program.run(
                    ["analyze", "--format", "jsonl", "--model", "red-pictures", picture.path])
                let line = try #require(
                    try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], "\(outcome.errors)")
                #expect(line["detectedTypes"] as? [String] == types)
            }
        }
    }

    @Test("sca model inspect breaks long lines, and shortens long texts") func longTexts() async throws {
        var model = TestModels.classifier()
        model.description_p.metadata.license = String(repeating: "words of a licence ", count: 200)
        try await Self.withModel(try TestModels.bytes(model)) { program, model, _ in
            let outcome = try await program.run(["model", "inspect", model])
            #expect(outcome.exitCode == 0 && outcome.text.contains("more characters)"), "\(outcome.errors)")
            #expect(outcome.lines.filter { !$0.hasPrefix("The model can be") }.allSatisfy { $0.count <= 80 })
            #expect(outcome.lines.count < 25)
        }
    }

    @Test("sca model inspect says of an array that is no picture that it cannot be imported") func array() async throws
    {
        var model = TestModels.classifier()
        model.neuralNetworkClassifier.preprocessing = []
        model.description_p.input[0].type.multiArrayType = .with {
            $0.shape = [3, 1, 1]
            $0.dataType = .float32
        }
        try await Self.withModel(try TestModels.bytes(model)) { program, model, _ in
            let outcome = try await program.run(["model", "inspect", model])
            #expect(outcome.exitCode == 1 && outcome.text.contains("an array of 3 × 1 × 1, and no picture"))
        }
    }

    /// Writes the program of the tests as a package, and returns its path.
    private static func writePackage(in folder: URL) throws -> URL {
        let package = folder.appendingPathComponent("Red Program.mlpackage")
        let data = package.appendingPathComponent("Data/com.apple.CoreML")
        try FileManager.default.createDirectory(
            at: data.appendingPathComponent("weights"), withIntermediateDirectories: true)
        let manifest = """
            {"fileFormatVersion": "1.0.0", "itemInfoEntries": {"A": {"path": "com.apple.CoreML/weights"},
            "B": {"path": "com.apple.CoreML/model.mlmodel"}}, "rootModelIdentifier": "B"}
            """
        try Data(manifest.utf8).write(to: package.appendingPathComponent("Manifest.json"))
        try Data(try TestModels.bytes(TestPrograms.classifier())).write(
            to: data.appendingPathComponent("model.mlmodel"))
        try Data(TestPrograms.weights).write(to: data.appendingPathComponent("weights/weight.bin"))
        return package
    }

    @Test(
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
    func `an imported package scores a picture by the formula of its program`() async throws {
        try await Self.withModel([]) { program, _, folder in
            let package = try Self.writePackage(in: folder)
            let inspected = try await program.run(["model", "inspect", package.path])
            #expect(inspected.exitCode == 0 && inspected.text.contains("ML program, version 6"), "\(inspected.errors)")
            let imported = try await program.run(["model", "import", "--sensitive", "NSFW", package.path + "/"])
            try #require(imported.exitCode == 0, "\(imported.errors)")
            #expect(imported.text.contains("red-program was added"))
            for (color, logit) in [([255, 0, 0], 4), ([128, 51, 0], 4 * 128 / 255 - 0.4)] as [([UInt8], Double)] {
                let picture = folder.appendingPathComponent("picture.bmp")
                try Self.bitmap(of: color).write(to: picture)
                let outcome = try await program.run(
                    ["analyze", "--format", "jsonl", "--model", "red-program", picture.path])
                let line = try #require(
                    try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], "\(outcome.errors)")
                let score = try #require(line["score"] as? Double)
                #expect(abs(score - 1 / (1 + exp(-2 * logit))) < 1e-4, "\(color): \(score)")
            }
        }
    }

    @Test func `a package with links, without a part, or with a path to the outside is refused`() async throws {
        try await Self.withModel(try TestModels.bytes(TestPrograms.classifier())) { program, model, folder in
            func errors(_ change: (URL) throws -> Void) async throws -> String {
                let package = try Self.writePackage(in: folder)
                try change(package)
                let outcome = try await program.run(["model", "inspect", package.path])
                #expect(outcome.exitCode != 0)
                try FileManager.default.removeItem(at: package)
                return outcome.errors + outcome.text
            }
            let data = "Data/com.apple.CoreML"
            func manifest(_ path: String) -> Data {
                Data(#"{"itemInfoEntries": {"B": {"path": "\#(path)"}}, "rootModelIdentifier": "B"}"#.utf8)
            }
            for part in ["\(data)/model.mlmodel", "\(data)/weights/weight.bin", "\(data)/weights", "Manifest.json"] {
                let linked = try await errors { package in
                    let file = package.appendingPathComponent(part)
                    let target = folder.appendingPathComponent(UUID().uuidString)
                    try FileManager.default.moveItem(at: file, to: target)
                    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
                }
                #expect(linked.contains("is a link or no folder"), "\(part): \(linked)")
            }
            let withoutWeights = try await errors {
                try FileManager.default.removeItem(at: $0.appendingPathComponent("\(data)/weights"))
            }
            #expect(withoutWeights.contains("The file of the weights is missing"), "\(withoutWeights)")
            for (path, words) in [
                ("../../\(URL(fileURLWithPath: model).lastPathComponent)", "names a file outside of it"),
                ("/etc/passwd", "names a file outside of it"),
                ("com.apple.CoreML/other", "lacks the file of its model"),
                ("com.apple.CoreML", "no regular file"),
            ] {
                let wrong = try await errors {
                    try manifest(path).write(to: $0.appendingPathComponent("Manifest.json"))
                }
                #expect(wrong.contains(words), "\(path): \(wrong)")
            }
            let added = try await program.run(["model", "add", model])
            #expect(added.exitCode == 64 && added.errors.contains("Use 'sca model import'"))
            let inner = try Self.writePackage(in: folder).appendingPathComponent("\(data)/model.mlmodel").path
            let alone = try await program.run(["model", "inspect", inner])
            #expect(alone.exitCode == 1 && alone.text.contains("name the folder .mlpackage itself"))
            let pipe = try await program.run(["model", "inspect", "/dev/null"])
            #expect(pipe.exitCode == 64 && pipe.errors.contains("Save the model to a file, and name it."))
            let empty = try await program.run(["model", "inspect", folder.path])
            #expect(empty.exitCode == 64 && empty.errors.contains("This folder has no Manifest.json"))
        }
    }

    /// Returns a bitmap file of 64 × 64 pixels of one colour, in RGB.
    private static func bitmap(of color: [UInt8]) -> Data {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        let (side, byteCount) = (UInt32(64), UInt32(64 * 64 * 3))
        var bytes = Array("BM".utf8) + number(54 + byteCount) + number(0) + number(54)
        bytes += number(40) + number(side) + number(side) + [1, 0, 24, 0] + number(0) + number(byteCount)
        bytes += [UInt8](repeating: 0, count: 16)
        for _ in 0..<64 * 64 { bytes += color.reversed() }
        return Data(bytes)
    }
}
