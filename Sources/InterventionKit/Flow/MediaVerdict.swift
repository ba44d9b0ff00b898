// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import SensitiveContentAnalysis

/// The outcome of a check of media.
public enum MediaVerdict: Sendable, Hashable {
    /// The media is likely to show content of these types; the set is empty if the types are unknown.
    case sensitive(Set<SCSensitivityAnalysis.ContentType>)
    /// The media is not likely to show content that the person wants warnings about.
    case notSensitive
    /// The check failed, so nothing is known; the media counts as sensitive in everything except the words.
    case unknown

    /// Creates the verdict of a completed analysis.
    public init(_ analysis: SCSensitivityAnalysis) {
        self = analysis.isSensitive ? .sensitive(analysis.detectedTypes) : .notSensitive
    }

    /// The types of content that were found.
    var contentTypes: Set<SCSensitivityAnalysis.ContentType> {
        if case .sensitive(let types) = self { types } else { [] }
    }

    /// Returns the combined verdict of two checks of a stream that has not been harmless since the first.
    ///
    /// Known findings stay if a check fails, and further findings are added.
    func united(with next: MediaVerdict) -> MediaVerdict {
        switch (self, next) {
        case (.sensitive(let known), .sensitive(let new)): .sensitive(known.union(new))
        case (.sensitive, .unknown): self
        default: next
        }
    }

    /// Whether a decision to see media of this verdict also covers the other verdict.
    ///
    /// A decision on content that could not be checked does not cover content that was found later.
    func includes(_ other: MediaVerdict) -> Bool {
        switch (self, other) {
        case (.sensitive(let known), .sensitive(let new)): new.isSubset(of: known) && new.isEmpty == known.isEmpty
        case (.sensitive, .unknown), (.unknown, .unknown): true
        default: false
        }
    }
}
