// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A threshold and its name.
struct NamedThreshold: Sendable, Hashable {
    let name: String
    let value: Double
}
