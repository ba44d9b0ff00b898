// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost

/// Something that scores pictures: the model in its process, or a script in tests.
package protocol SensitivityModel: Sendable {
    /// The name that travels with every score.
    var name: String { get }

    /// The size to which pictures may be reduced before they are scored, in pixels.
    var minimumWidth: Int { get }
    var minimumHeight: Int { get }

    /// Whether the model was replaced, so that it has to be loaded anew: scores of another model belong to its manifest.
    var isReplaced: Bool { get }

    /// Scores the views of one picture.
    ///
    /// - Returns: for each view, a score for each content type that the model knows.
    /// - Throws: `AnalysisFailure` or `CancellationError`.
    func scores(of views: [PixelImage]) async throws -> [[ContentScore]]

    /// Scores the views of pixels of an app.
    ///
    /// - Throws: as `scores(of:)` does for views.
    func scores(of picture: SealedPicture) async throws -> [[ContentScore]]
}

extension SensitivityModel {
    package var isReplaced: Bool { false }
}
