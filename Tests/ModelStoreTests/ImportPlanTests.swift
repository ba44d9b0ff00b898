// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import ModelStore
import Testing

@Suite("The plan of a model's import")
struct ImportPlanTests {
    private static let labels = ["NSFW", "SFW", "twice", "twice"]

    /// Returns the plan for a model with an output of four columns.
    private static func plan(
        _ names: [String], labels: [String] = labels, channelCount: Int = 3, order: ModelInput.ChannelOrder? = .rgb,
        arrayOrder: ModelInput.ChannelOrder? = nil
    ) throws -> ImportPlan {
        let interface = ConvertedInterface(
            inputName: "picture", channelCount: channelCount, width: 8, height: 8, channelOrder: order,
            outputs: [ConvertedInterface.Output(name: "scores", count: 4, feature: "probabilities")])
        return try ImportPlan(
            ModelFileDescription(kind: "classifier", labels: labels), interface, name: "red-pictures",
            sensitive: names.map { ImportPlan.SensitiveColumn(name: $0, contentType: .goreOrViolence) },
            resize: .fit, arrayOrder: arrayOrder)
    }

    @Test("The manifest is valid, and has the column of a label with its type")
    func manifest() throws {
        let manifest = try Self.plan(["SFW"]).manifest(for: [1, 2, 3], source: "Red Pictures.mlmodel")
        try manifest.validate()
        #expect(manifest.name == "red-pictures" && manifest.byteCount == 3 && manifest.input.resize.mode == .fit)
        #expect(manifest.outputs.map(\.column) == [1] && manifest.outputs.map(\.name) == ["scores"])
        #expect(manifest.outputs.map(\.contentType) == [.goreOrViolence])
        #expect(manifest.labels?.names == Self.labels)
    }

    @Test("A column of a model without labels has a number, with or without the output's name")
    func numberedColumns() throws {
        let manifest = try Self.plan(["3", "probabilities:0"], labels: []).manifest(for: [1], source: "a.mlmodel")
        #expect(manifest.outputs.map(\.column) == [3, 0] && manifest.labels == nil)
    }

    @Test("The input that is an array has the order of colours that is given")
    func array() throws {
        let manifest = try Self.plan(["SFW"], order: nil, arrayOrder: .bgr).manifest(for: [1], source: "a.mlmodel")
        #expect(manifest.input.channelOrder == .bgr)
    }

    @Test("Texts of more than half a MiB are refused")
    func longTexts() throws {
        let long = String(repeating: "a", count: 1 << 19)
        #expect(throws: AnalysisFailure.self) {
            _ = try Self.plan(["SFW"], labels: ["SFW", long, "b", "c"]).manifest(for: [1], source: "a.mlmodel")
        }
    }

    @Test("A choice that is missing or does not fit the model is refused with its reason")
    func faults() {
        #expect(throws: ImportPlan.Fault.arrayOrderOfImage) { _ = try Self.plan(["SFW"], arrayOrder: .rgb) }
        #expect(throws: ImportPlan.Fault.noArrayOrder) { _ = try Self.plan(["SFW"], order: nil) }
        #expect(throws: ImportPlan.Fault.noPicture) { _ = try Self.plan(["SFW"], channelCount: 1, order: nil) }
        #expect(throws: ImportPlan.Fault.noSensitiveColumn) { _ = try Self.plan([]) }
        #expect(throws: ImportPlan.Fault.repeatedColumn) { _ = try Self.plan(["SFW", "SFW"]) }
        #expect(throws: ImportPlan.Fault.repeatedLabel("twice", count: 2)) { _ = try Self.plan(["twice"]) }
        #expect(throws: ImportPlan.Fault.unknownColumn("sfw")) { _ = try Self.plan(["sfw"]) }
        #expect(throws: ImportPlan.Fault.unknownColumn("4")) { _ = try Self.plan(["4"], labels: []) }
    }

    @Test("A model has the name that is given, or the letters and digits of its file's name")
    func names() throws {
        let models = InstalledModels(folders: [])
        let file = "/models/Größe 2.mlmodel"
        #expect(try ImportedName.of(file: file, named: nil, among: models) == "grosse-2")
        #expect(try ImportedName.of(file: file, named: "other", among: models) == "other")
        #expect(throws: ImportedName.Fault.noName) {
            _ = try ImportedName.of(file: "/models/漢.mlmodel", named: nil, among: models)
        }
        #expect(throws: ImportedName.Fault.impossible) {
            _ = try ImportedName.of(file: file, named: "No Name", among: models)
        }
        #expect(throws: ImportedName.Fault.ofDefaultModel) {
            _ = try ImportedName.of(file: file, named: InstalledModels.defaultModelName, among: models)
        }
    }
}
