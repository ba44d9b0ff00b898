// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension SCSensitivityAnalysis {
    /// The highest score of any picture of the media, from 0 to 1; 1 if the test pattern was found.
    ///
    /// A score has a meaning only for the model that gave it, and is no probability.
    public var score: Float { backing.score }

    /// The name of the model that gave the score, for example "open-nsfw".
    public var modelName: String { backing.modelName }

    /// The policy whose thresholds were applied to the score.
    public var policy: SCSensitivityAnalysisPolicy { backing.policy }
}
