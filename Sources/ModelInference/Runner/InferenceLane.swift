// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// Scores views one after the other for one connection, on one thread at a time.
package final class InferenceLane {
    private let request: InferenceRequest
    private let inputName: String
    private let preprocessor: Preprocessor
    private let outputs: [ModelOutputPlace]
    private let labels: ModelSetup.Labels?
    /// The score of each label in the last view; empty for a model without labels.
    private(set) var labelScores: [Float] = []
    /// For each output, the added output that the network has; nil if it has none.
    private let mapOutputs: [MapOutput?]

    package init(
        _ model: OpenVINOModel, input: ModelInput, outputs: [ModelOutputPlace], labels: ModelSetup.Labels? = nil
    ) throws(ModelFailure) {
        request = try model.makeRequest()
        inputName = input.name
        preprocessor = Preprocessor(input)
        self.outputs = outputs
        self.labels = labels
        let names = Self.distinctNames(of: outputs)
        let request = request
        mapOutputs = outputs.map { output in
            let index = names.firstIndex(of: output.name) ?? 0
            return ScoreFunction.allCases.lazy.map { MapOutput(index: index, function: $0) }.first(where: request.has)
        }
    }

    /// Returns the names of the output tensors, each once.
    package static func distinctNames(of outputs: [ModelOutputPlace]) -> [String] {
        outputs.reduce(into: []) { names, output in
            if !names.contains(output.name) { names.append(output.name) }
        }
    }

    /// Runs the model on one view.
    ///
    /// There are no batches, because they save no time on the measured processors (docs/performance.md). OpenVINO also
    /// keeps some 20 MiB for every size of a batch that it has ever processed.
    ///
    /// - Returns: the score of each output.
    package func scores(of view: PictureView) throws(ModelFailure) -> [Float] {
        try unsafe scores { unsafe preprocessor.write(view, into: $0) }
    }

    /// Runs the model on a tensor that the preprocessor has made.
    func scores(ofTensor tensor: [Float]) throws(ModelFailure) -> [Float] {
        try unsafe scores { target in _ = unsafe target.update(fromContentsOf: tensor) }
    }

    private func scores(
        filling fill: (UnsafeMutableBufferPointer<Float>) -> Void
    ) throws(ModelFailure) -> [Float] {
        try unsafe request.run(inputName: inputName, valueCount: preprocessor.valueCount, filling: fill)
        var scores: [Float] = []
        for output in outputs {
            let values = try request.output(output.name)
            guard output.column < values.count else {
                throw ModelFailure(
                    .unusable,
                    "An output of the model has \(values.count) columns from 0 on, and the manifest names column \(output.column)."
                )
            }
            scores.append(Self.withoutRoundingError(values[output.column]))
        }
        if let labels {
            let values = try request.output(labels.output)
            guard values.count == labels.count else {
                throw ModelFailure(.unusable, "The model has another number of labels than its manifest says.")
            }
            labelScores = values.map(Self.withoutRoundingError)
        }
        return scores
    }

    /// Reads the maps of the last view.
    ///
    /// - Parameter scores: the scores of the view.
    /// - Returns: for each output, its map; nil for a network whose end gives none.
    package func maps(agreeingWith scores: [Float]) throws(ModelFailure) -> [PlaceMap?] {
        var read: [MapOutput: PlaceMap] = [:]
        var maps: [PlaceMap?] = []
        for (index, output) in mapOutputs.enumerated() {
            guard let output else {
                maps.append(nil)
                continue
            }
            let map = if let map = read[output] { map } else { try request.map(output) }
            read[output] = map
            // The end of another network could look like one with a map, and its parts would have wrong scores.
            let column = outputs[index].column
            let agrees = map.map { abs($0.score(column, in: $0.all) - scores[index]) < Self.largestDifference } ?? false
            maps.append(agrees ? map : nil)
        }
        return maps
    }

    /// The largest difference between a score and the score of the mean of a map.
    private static let largestDifference: Float = 0.0001

    /// Clamps a score that is off by less than 0.001, because a softmax in single precision may slightly exceed 1.
    ///
    /// A value that is off by more is returned unchanged, so that it is refused as a score.
    private static func withoutRoundingError(_ value: Float) -> Float {
        value > -0.001 && value < 1.001 ? min(1, max(0, value)) : value
    }
}
