// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The content that a parent allows an account to see, by sections of the Open Age Ratings Service.
///
/// Source: https://hughsie.github.io/oars/; malcontent's interface `com.endlessm.ParentalControls.AppFilter`.
package struct OARSFilter: Sendable, Hashable {
    /// The rating scheme, for example "oars-1.1".
    package var scheme: String
    /// The strongest allowed value of each section; a missing section is not restricted.
    package var sections: [String: String]

    package init(scheme: String, sections: [String: String]) {
        self.scheme = scheme
        self.sections = sections
    }

    /// The section that decides about Communication Safety.
    package static let nudity = "sex-nudity"

    /// The limit on nudity with its rating scheme, in words.
    package var nudityInWords: String {
        "\(sections[Self.nudity].map { "\"\($0)\"" } ?? "not restricted") in \(scheme)"
    }

    /// Whether the filter puts the account under Communication Safety.
    ///
    /// `none` and `mild` (nudity without sexual meaning, as in a museum) do so. `moderate` and `intense` allow the
    /// content that the model finds.
    package var communicationSafety: CommunicationSafety {
        guard ["oars-1.0", "oars-1.1"].contains(scheme) else { return .unknown }
        switch sections[Self.nudity] {
        case nil, "moderate", "intense": return .off
        case "none", "mild": return .on
        default: return .unknown
        }
    }
}
