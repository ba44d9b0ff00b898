// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The answer to a request about a file: a value, or the content of a file that does not suit the request.
package enum FileAnswer<Value> {
    case value(Value)
    case content(MediaContent)

    /// Transforms the value; an answer without a value is unchanged.
    package func map<New, Failure: Error>(
        _ transform: (Value) throws(Failure) -> New
    ) throws(Failure) -> FileAnswer<New> {
        switch self {
        case .value(let value): .value(try transform(value))
        case .content(let content): .content(content)
        }
    }

    /// Transforms the value as `map` does, with work that waits.
    nonisolated(nonsending) package func asyncMap<New, Failure: Error>(
        _ transform: nonisolated(nonsending) (Value) async throws(Failure) -> New
    ) async throws(Failure) -> FileAnswer<New> {
        switch self {
        case .value(let value): .value(try await transform(value))
        case .content(let content): .content(content)
        }
    }
}

extension FileAnswer: Sendable where Value: Sendable {}
