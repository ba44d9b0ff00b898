// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import HelperHost

/// Finds nothing in anything, so that only the test pattern decides.
struct IndifferentModel: SensitivityModel {
    let name = "indifferent"
    let minimumWidth = 256
    let minimumHeight = 256

    func scores(of views: [PixelImage]) async throws -> [[ContentScore]] { views.map { _ in Self.nothing } }

    func scores(of picture: SealedPicture) async throws -> [[ContentScore]] { [Self.nothing] }

    private static let nothing = [
        ContentScore(
            contentType: .sexuallyExplicit, value: 0,
            thresholds: Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9))
    ]
}
