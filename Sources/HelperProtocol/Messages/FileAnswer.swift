// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The answer to a question about a file: a value, or that the file is something else than was asked for.
package enum FileAnswer<Value> {
    case value(Value)
    case content(MediaContent)
}

extension FileAnswer: Sendable where Value: Sendable {}
