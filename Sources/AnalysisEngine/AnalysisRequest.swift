// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// The parameters of one analysis, from the call of the app to the requests to helper processes.
package struct AnalysisRequest: Sendable {
    package var policy: AnalysisPolicy
    package var limits: AnalysisLimits
    /// Whether the test pattern counts as sensitive content.
    package var findsTestPatterns: Bool
    package var options: MediaOptions
    /// The threshold that the person or the app asks for; nil for those of the model's manifest.
    package var threshold: ThresholdDemand?

    package init(
        policy: AnalysisPolicy, limits: AnalysisLimits = AnalysisLimits(), findsTestPatterns: Bool = false,
        options: MediaOptions = MediaOptions(), threshold: ThresholdDemand? = nil
    ) {
        self.policy = policy
        self.limits = limits
        self.findsTestPatterns = findsTestPatterns
        self.options = options
        self.threshold = threshold
    }

    /// Returns the options for the scores of a picture, or of one of many frames.
    package func scoring(isFrame: Bool = false) -> ScoringOptions { options.scoring(under: policy, isFrame: isFrame) }

    /// - Throws: `analysisDisabled` if no policy asks for analysis; `invalidArgument` for impossible limits.
    package func validate() throws(AnalysisFailure) {
        guard policy != .disabled else {
            throw AnalysisFailure(.analysisDisabled, "No policy asks for analysis.")
        }
        try limits.validate()
        try threshold?.validate()
    }

    /// Makes the request to a decoder for pictures that fit the model.
    ///
    /// - Parameters:
    ///   - isVideo: whether the decoder of videos is asked.
    ///   - sequence: the place of the sequence in a picture file.
    package func openRequest(
        for model: ModelLoader.Requirements, isVideo: Bool, sequence: SequencePlace?
    ) -> OpenRequest {
        var picture = ImageRequest(
            minimumWidth: model.minimumWidth, minimumHeight: model.minimumHeight, limits: limits,
            findsTestPatterns: findsTestPatterns)
        let isVideoFile = isVideo && sequence == nil
        if !isVideoFile {
            picture.limits.maximumMediaDecodingTime = min(
                limits.maximumMediaDecodingTime, limits.maximumPicturesDecodingTime)
        }
        // Animations are always analysed thoroughly, because they are short and small.
        let preset: SamplingPreset =
            if options.scoresEveryFrame {
                .thorough
            } else {
                policy == .descriptive ? .protective : isVideoFile ? options.preset : .thorough
            }
        return OpenRequest(picture: picture, preset: preset, sequence: sequence)
    }
}
