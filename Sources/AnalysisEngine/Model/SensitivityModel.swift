// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost

/// A model that scores pictures: the model in its process, or a script in tests.
package protocol SensitivityModel: Sendable {
    /// The name that is reported with every score.
    var name: String { get }

    /// Whether the model was replaced and has to be loaded anew, because scores belong to the manifest of their model.
    var isReplaced: Bool { get }

    /// Scores the views of one picture.
    ///
    /// - Throws: `AnalysisFailure` or `CancellationError`.
    func scores(of views: [PixelImage], _ options: ScoringOptions) async throws -> ModelScores

    /// Scores the views of pixels of an app.
    ///
    /// - Throws: the same errors as `scores(of:_:)` for views.
    func scores(of picture: SealedPicture, _ options: ScoringOptions) async throws -> ModelScores
}

extension SensitivityModel {
    package var isReplaced: Bool { false }
}
