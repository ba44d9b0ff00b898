// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
public import Foundation

/// The result of a completed analysis.
///
/// ```swift
/// do {
///     let analysis = try await analyzer.analyzeImage(at: fileURL)
///     if !analysis.isSensitive {
///         view.show(fileURL)
///     } else if analysis.detectedTypes == [.goreOrViolence] {
///         view.cover("This may show violence.")
///     } else {
///         view.cover("This may be sensitive.")
///     }
/// } catch {
///     view.cover("This could not be checked. \(error.localizedDescription)")
/// }
/// ```
///
/// An analysis that could not be completed throws, so no value of this type stands for "unknown".
///
/// Source: Apple's documentation of `SCSensitivityAnalysis`.
open class SCSensitivityAnalysis: NSObject, @unchecked Sendable {
    // @unchecked: every stored property is constant; an open class cannot be checked.

    let backing: AnalysisBacking

    init(_ backing: AnalysisBacking) {
        self.backing = backing
        super.init()
    }

    /// Whether the media is likely to be sensitive; cover all media for which this is not known to be false.
    open var isSensitive: Bool { backing.isSensitive }

    /// The kinds of sensitive content that were found; empty if the media is not sensitive.
    open var detectedTypes: Set<ContentType> { backing.detectedTypes }
}

extension SCSensitivityAnalysis {
    /// A kind of sensitive content; compare with the constants, since the strings are not Apple's.
    public struct ContentType: RawRepresentable, Hashable, Sendable {
        /// The name of the content type.
        public let rawValue: String

        /// Creates a content type, which need not be one of the constants.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nudity or sexually explicit material.
        public static let sexuallyExplicit = ContentType(rawValue: "sexuallyExplicit")
        /// Gore, graphic violence or disturbing imagery; found only by models that support it, and by the test pattern.
        public static let goreOrViolence = ContentType(rawValue: "goreOrViolence")
    }
}
