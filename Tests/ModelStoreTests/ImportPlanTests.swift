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
        arrayOrder: ModelInput.ChannelOrder? = nil, arrayNumbers: ImportPlan.ArrayNumbers? = nil,
        lengths: [Int] = [4, 1, 1], isUnbounded: Bool = false, threshold: Float? = nil
    ) throws -> ImportPlan {
        let interface = ConvertedInterface(
            inputName: "picture", channelCount: channelCount, width: 8, height: 8, channelOrder: order,
            outputs: [
                ConvertedInterface.Output(
                    name: "scores", feature: "probabilities", lengths: lengths, isUnbounded: isUnbounded)
            ])
        return try ImportPlan(
            ModelFileDescription(kind: "classifier", labels: labels), interface, name: "red-pictures",
            sensitive: names.map { ImportPlan.SensitiveColumn(name: $0, contentType: .goreOrViolence) },
            resize: .fit, arrayOrder: arrayOrder, arrayNumbers: arrayNumbers, threshold: threshold)
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

    @Test(arguments: [[1, 400, 1], [1, 20, 20], [400, 22, 1], [4, 1, 2]])
    func `an output that is a map of heat or a list of boxes has no column that is a score`(lengths: [Int]) {
        #expect(throws: ImportPlan.Fault.noRow("probabilities", lengths: lengths)) {
            _ = try Self.plan(["0"], labels: [], lengths: lengths)
        }
    }

    @Test(arguments: [labels, []])
    func `the numbers of a linear layer are no scores`(labels: [String]) {
        #expect(throws: ImportPlan.Fault.noScores("probabilities")) {
            _ = try Self.plan([labels.first ?? "0"], labels: labels, isUnbounded: true)
        }
    }

    @Test func `a label that usually stands for harmless pictures is noticed`() throws {
        #expect(try Self.plan(["SFW", "NSFW"]).harmlessLabels == ["SFW"])
    }

    @Test func `a row of scores may lie in the channels or in the width`() throws {
        for lengths in [[5, 1, 1], [1, 1, 5]] { _ = try Self.plan(["4"], labels: [], lengths: lengths) }
    }

    @Test func `of two scores the larger one is the answer, unless a threshold is given`() throws {
        let two = try Self.plan(["SFW"], labels: ["SFW", "NSFW"], lengths: [2, 1, 1]).thresholds
        #expect(two == Thresholds(simple: 0.5, descriptive: 0.4, strong: 0.9))
        #expect(try Self.plan(["SFW"]).thresholds == Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9))
        for given: Float in [0.2, 0.6, 0.95] {
            let thresholds = try Self.plan(["SFW"], threshold: given).thresholds
            #expect(thresholds.simple == given && thresholds.areValid)
        }
    }

    @Test("The input that is an array has the order of colours that is given")
    func array() throws {
        let plan = try Self.plan(["SFW"], order: nil, arrayOrder: .bgr, arrayNumbers: .signed)
        let input = try plan.manifest(for: [1], source: "a.mlmodel").input
        #expect(input.channelOrder == .bgr && input.mean == [127.5, 127.5, 127.5])
        for level: Float in [0, 255] { #expect(abs((level - input.mean[0]) * input.scale[0]) == 1) }
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
        #expect(throws: ImportPlan.Fault.arrayNumbersOfImage) { _ = try Self.plan(["SFW"], arrayNumbers: .unit) }
        #expect(throws: ImportPlan.Fault.noArrayNumbers) { _ = try Self.plan(["SFW"], order: nil, arrayOrder: .rgb) }
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
