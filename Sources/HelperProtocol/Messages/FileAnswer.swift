// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The answer to a question about a file: a value, or that the file is something else than was asked for.
package enum FileAnswer<Value> {
    case value(Value)
    case content(MediaContent)

    /// The answer with another value; that the file is something else stays as it is.
    package func map<New, Failure: Error>(
        _ transform: (Value) throws(Failure) -> New
    ) throws(Failure) -> FileAnswer<New> {
        switch self {
        case .value(let value): .value(try transform(value))
        case .content(let content): .content(content)
        }
    }
}

extension FileAnswer: Sendable where Value: Sendable {}
