// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The score that a set gives for a file, so that the file is not judged.
enum GivenScore: Sendable, Hashable {
    /// The file is unknown.
    case unknown
    case score(Double)

    var value: Double? {
        switch self {
        case .unknown: nil
        case .score(let score): score
        }
    }

    /// Reads a score; nil for a text that is no number from 0 to 1.
    ///
    /// An empty text is an unknown file.
    init?(_ text: String) {
        let text = text.trimmingPrefix { $0 == " " }
        if text.isEmpty {
            self = .unknown
        } else {
            guard let score = Double(text), score >= 0, score <= 1 else { return nil }
            self = .score(score)
        }
    }
}
