// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// Scores one view after the other, on one thread at a time.
package final class InferenceLane {
    private let request: InferenceRequest
    private let inputName: String
    private let preprocessor: Preprocessor
    private let outputs: [ModelOutputPlace]

    package init(
        _ model: OpenVINOModel, input: ModelInput, outputs: [ModelOutputPlace]
    ) throws(ModelFailure) {
        request = try model.makeRequest()
        inputName = input.name
        preprocessor = Preprocessor(input)
        self.outputs = outputs
    }

    /// Runs the model on one view.
    ///
    /// Not on several at once: that saves no time on the processors that were measured (docs/performance.md), and
    /// OpenVINO keeps some 20 MiB for every size of a batch that it has ever seen.
    ///
    /// - Returns: the number of each output.
    package func scores(of view: PictureView) throws(ModelFailure) -> [Float] {
        try unsafe scores { unsafe preprocessor.write(view, into: $0) }
    }

    /// Runs the model on a tensor that the resampler has made before.
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
                throw ModelFailure(.unusable, "The model has fewer outputs than its manifest says.")
            }
            scores.append(Self.withoutRoundingError(values[output.column]))
        }
        return scores
    }

    /// A softmax in single precision may end a hair above 1.
    ///
    /// Anything further out stays, and is refused as a score.
    private static func withoutRoundingError(_ value: Float) -> Float {
        value > -0.001 && value < 1.001 ? min(1, max(0, value)) : value
    }
}
