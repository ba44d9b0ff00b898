// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import SensitiveContentAnalysis

/// What is known of media after a check: one of three honest outcomes.
public enum MediaVerdict: Sendable, Hashable {
    /// The media is likely to show content of these types; the set may be empty where the types are not known.
    case sensitive(Set<SCSensitivityAnalysis.ContentType>)
    /// The media is not likely to show anything of which the person wants to be warned.
    case notSensitive
    /// The check failed, so nothing is known; treated as sensitive in every respect but the words.
    case unknown

    /// The verdict of an analysis that took place.
    public init(_ analysis: SCSensitivityAnalysis) {
        self = analysis.isSensitive ? .sensitive(analysis.detectedTypes) : .notSensitive
    }

    /// The types of content that were found.
    var contentTypes: Set<SCSensitivityAnalysis.ContentType> {
        if case .sensitive(let types) = self { types } else { [] }
    }

    /// What is known after two checks of a stream that has not been harmless since the first.
    ///
    /// What was found stays known where a check fails, and adds up where others find something else.
    func united(with next: MediaVerdict) -> MediaVerdict {
        switch (self, next) {
        case (.sensitive(let known), .sensitive(let new)): .sensitive(known.union(new))
        case (.sensitive, .unknown): self
        default: next
        }
    }

    /// Whether somebody who decided to see media of this verdict has decided on the other verdict as well.
    ///
    /// A decision on content that could not be checked does not cover content that was then found.
    func includes(_ other: MediaVerdict) -> Bool {
        switch (self, other) {
        case (.sensitive(let known), .sensitive(let new)): new.isSubset(of: known) && new.isEmpty == known.isEmpty
        case (.sensitive, .unknown), (.unknown, .unknown): true
        default: false
        }
    }
}
