# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The faults of scripts/plant-stream-faults that change nothing that a stream does, and why."""

EQUIVALENT = {
    "StreamState+Analyses.swift: guard isAnalysing, let pending else { return nil } -> always isAnalysing":
        "no frame is pending where nothing is analysed; the state says it twice for safety",
    "StreamState.swift: guard let analysis = endAnalysis(analysisNumber), analysis.terms == terms, terms.policy != .disabled"
    " else { -> always terms.policy != .disabled":
        "no analysis begins under a disabled policy; the state says it twice for safety",
}
