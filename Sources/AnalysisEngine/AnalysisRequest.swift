// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import HelperProtocol

/// The parameters of one analysis, from the call of the app to the requests to helper processes.
package struct AnalysisRequest: Sendable {
    package var policy: AnalysisPolicy
    package var limits: AnalysisLimits
    /// Whether the test pattern counts as sensitive content.
    package var findsTestPatterns: Bool
    package var options: MediaOptions
    /// The likely kind of the file, which is tried first.
    package var expected: ExpectedMedia

    package init(
        policy: AnalysisPolicy, limits: AnalysisLimits = AnalysisLimits(), findsTestPatterns: Bool = false,
        options: MediaOptions = MediaOptions(), expecting expected: ExpectedMedia = .any
    ) {
        self.policy = policy
        self.limits = limits
        self.findsTestPatterns = findsTestPatterns
        self.options = options
        self.expected = expected
    }

    /// - Throws: `analysisDisabled` if no policy asks for analysis; `invalidArgument` for impossible limits.
    func validate() throws(AnalysisFailure) {
        guard policy != .disabled else {
            throw AnalysisFailure(.analysisDisabled, "No policy asks for analysis.")
        }
        try limits.validate()
    }

    /// Makes the request to a decoder for pictures that fit the model.
    func pictureRequest(for model: ModelLoader.Requirements) -> ImageRequest {
        ImageRequest(
            minimumWidth: model.minimumWidth, minimumHeight: model.minimumHeight, limits: limits,
            findsTestPatterns: findsTestPatterns)
    }

    /// Makes the request to a decoder for the frames of a file that fit the model.
    func mediaRequest(for model: ModelLoader.Requirements, _ kind: AnalysisEngine.MediaRoute) -> MediaRequest {
        var picture = pictureRequest(for: model)
        if kind != .video {
            picture.limits.maximumMediaDecodingTime = min(
                limits.maximumMediaDecodingTime, limits.maximumPicturesDecodingTime)
        }
        return MediaRequest(picture: picture, preset: preset(kind), isImageSequence: kind == .imageSequence)
    }

    /// Returns the preset for a route; animations are always analysed thoroughly, because they are short and small.
    private func preset(_ kind: AnalysisEngine.MediaRoute) -> SamplingPreset {
        if policy == .descriptive { return .protective }
        return kind == .video ? options.preset : .thorough
    }
}
