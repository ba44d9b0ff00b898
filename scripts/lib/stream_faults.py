# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The faults of scripts/plant-stream-faults that change nothing that a stream does, and why."""

EQUIVALENT = {
    "StreamState+Analyses.swift: if other.size < change.size { change = other } -> other.size <= change.size":
        "changes of the same size are equal",
    "StreamState.swift: guard let analysis = endAnalysis(analysisNumber), analysis.terms == terms, terms.policy != .disabled"
    " else { -> always terms.policy != .disabled":
        "no analysis begins under a disabled policy; the state says it twice for safety",
}
