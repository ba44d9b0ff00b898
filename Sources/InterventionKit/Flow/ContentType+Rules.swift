// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import SensitiveContentAnalysis

/// The rules of an intervention that depend on the type of the content.
extension ContentType {
    /// Whether content of this type is revealed by degrees: first coarsely, then finely, then as a whole.
    var isRevealedByDegrees: Bool {
        switch self {
        case .sexuallyExplicit: false
        case .goreOrViolence: true
        }
    }

    /// The name of the content type in the keys of the catalogue.
    package var catalogName: String {
        switch self {
        case .sexuallyExplicit: "nudity"
        case .goreOrViolence: "gore"
        }
    }
}

extension MediaVerdict {
    /// The found types that have rules, in the order of their declaration.
    var ruledTypes: [ContentType] {
        ContentType.allCases.filter { contentTypes.contains(.init(rawValue: $0.rawValue)) }
    }
}
