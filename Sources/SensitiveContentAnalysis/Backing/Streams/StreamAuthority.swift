// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine

/// The authority for the analysis of a stream, and the engine that follows from it.
struct StreamAuthority: Sendable {
    let authority: AnalysisAuthority
    let engine: MediaEngine
    let limits: AnalysisLimits
    let conditions: StreamConditions
}
