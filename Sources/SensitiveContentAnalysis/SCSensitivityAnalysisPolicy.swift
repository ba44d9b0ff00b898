// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The way in which an app should respond to sensitive content.
///
/// ```swift
/// // The answer to media that is sensitive, or that could not be analysed.
/// switch analyzer.analysisPolicy {
/// case .disabled: view.show(fileURL)
/// case .simpleInterventions: view.cover("This may be sensitive.")
/// case .descriptiveInterventions: view.explain("This may be sensitive. It is not your fault.")
/// }
/// ```
///
/// Source: Apple's documentation of `SCSensitivityAnalysisPolicy`; the raw values are Apple's.
public enum SCSensitivityAnalysisPolicy: Int, Sendable {
    /// Nobody has asked for analysis, or the app may not analyse, so every analysis throws.
    case disabled = 0
    /// Brief, inline interventions: the policy for adults.
    case simpleInterventions = 1
    /// Interventions over the full view, with explanations in words for children: the policy of the parental control.
    case descriptiveInterventions = 2
}
